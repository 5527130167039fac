import { readdir, readFile } from 'node:fs/promises'

/** Resident memory in bytes of the workerd processes that this process has started (Linux). */
export async function measureWorkerd(): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(ids.map(measure))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function measure(id: string): Promise<number> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
  const isOurs = field('Name') === 'workerd' && field('PPid') === String(process.pid)
  return isOurs ? Number(field('VmRSS')) * 1024 : 0
}
