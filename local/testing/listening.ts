import type { Browser } from 'playwright-core'

export interface Listening {
  /** Seconds that the player knows the sound to last, and those that it can be moved to. */
  duration: number
  seekable: number
  /** Where it stood, in seconds, once it was moved and had played on for a moment. */
  stoodAt: number[]
  /** Status and Cache-Status of each answer that it asked the edge for. */
  answers: string[]
}

/** Of the browser's HTMLMediaElement, whose types this project is compiled without. */
interface Media {
  muted: boolean
  readonly readyState: number
  readonly duration: number
  readonly seekable: { end(index: number): number }
  currentTime: number
  play(): Promise<void>
  pause(): void
  addEventListener(type: string, listener: (event: unknown) => void): void
}

/** Opens a page as a reader who is new to it, and moves its sound to moments, in seconds. */
export async function listen(
  browser: Browser,
  address: string,
  moments: readonly number[],
): Promise<Listening> {
  const page = await browser.newPage()
  const answers: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'media') return
    answers.push(`${response.status()} ${response.headers()['cache-status']}`)
  })
  await page.goto(address)
  const sound = page.locator('audio, video').first()
  const known = await sound.evaluate(load)
  const stoodAt: number[] = []
  for (const moment of moments) stoodAt.push(await sound.evaluate(move, moment))
  await page.close()
  return { ...known, stoodAt, answers }
}

async function load(media: Media) {
  media.muted = true
  if (media.readyState === 0)
    await new Promise((resolve) => media.addEventListener('loadedmetadata', resolve))
  return { duration: media.duration, seekable: media.seekable.end(0) }
}

async function move(media: Media, moment: number): Promise<number> {
  const seeked = new Promise((resolve) => media.addEventListener('seeked', resolve))
  media.currentTime = moment
  await seeked
  await media.play()
  while (media.currentTime === moment) await new Promise((resolve) => setTimeout(resolve, 20))
  media.pause()
  return media.currentTime
}
