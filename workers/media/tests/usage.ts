import { readdir, readFile } from 'node:fs/promises'

/** Returns the resident memory, in bytes, of the workerd processes that this process has started (Linux). */
export function measureMemory(): Promise<number> {
  return sumOverProcesses(async (id) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8')
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) * 1024
  })
}

/** Returns the CPU time, in seconds, that the same processes have used so far. */
export function measureCpu(): Promise<number> {
  return sumOverProcesses(async (id) => {
    const stat = await readStat(id)
    // proc(5): utime and stime are fields 14 and 15, in ticks of 10 ms.
    return (Number(stat[11]) + Number(stat[12])) / 100
  })
}

async function sumOverProcesses(measure: (id: string) => Promise<number>): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const values = await Promise.all(
    ids.map(async (id) => {
      const [, parent] = await readStat(id).catch(() => [])
      return parent === String(process.pid) ? measure(id).catch(() => 0) : 0
    }),
  )
  return values.reduce((total, value) => total + value, 0)
}

// Returns the fields of /proc/<id>/stat after the name of a workerd process; none for other processes.
async function readStat(id: string): Promise<string[]> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8')
  return /^\d+ \(workerd\) (.*)/.exec(stat)?.[1]?.split(' ') ?? []
}
