import { createRandom } from './random.ts'

const RATE = 8000
const SECONDS = 240

/** Four minutes by the sea: surf that comes and goes, a bell buoy, a foghorn every half minute. WAV, 16 bit, mono. */
export function makeSound(): Uint8Array {
  const samples = new Int16Array(RATE * SECONDS)
  const random = createRandom('sound')
  let surf = 0
  for (let index = 0; index < samples.length; index++) {
    const time = index / RATE
    surf += 0.08 * (random.next() * 2 - 1 - surf)
    const swell = 0.35 + 0.65 * Math.sin((Math.PI * time) / 9) ** 2
    const value = 1.6 * surf * swell + bell(time % 13) + horn(time % 30)
    samples[index] = Math.round(26_000 * Math.max(-1, Math.min(1, value)))
  }
  return Buffer.concat([toHeader(samples.byteLength), new Uint8Array(samples.buffer)])
}

function bell(time: number): number {
  const tones = [523, 1256, 2074]
  const sum = tones.reduce((total, tone) => total + Math.sin(2 * Math.PI * tone * time), 0)
  return 0.05 * sum * Math.exp(-1.9 * time)
}

function horn(time: number): number {
  if (time > 3.2) return 0
  const envelope = Math.min(1, time / 0.3, (3.2 - time) / 0.6)
  return (
    0.22 * envelope * (Math.sin(2 * Math.PI * 98 * time) + 0.5 * Math.sin(2 * Math.PI * 147 * time))
  )
}

function toHeader(size: number): Uint8Array {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + size, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(size, 40)
  return header
}
