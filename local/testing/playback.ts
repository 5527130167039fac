import type { Browser } from 'playwright-core'

export interface Playback {
  /** Duration, in seconds. */
  duration: number
  /** End of the seekable range, in seconds. */
  seekable: number
  /** Position after each seek and a short playback, in seconds. */
  positions: number[]
  /** Status and Cache-Status of each media response. */
  responses: string[]
}

/** The used part of HTMLMediaElement; the project is compiled without DOM types. */
interface MediaElement {
  muted: boolean
  readonly readyState: number
  readonly duration: number
  readonly seekable: { end(index: number): number }
  currentTime: number
  play(): Promise<void>
  pause(): void
  addEventListener(type: string, listener: (event: unknown) => void): void
}

/** Opens a page in a new tab, and seeks in its sound to each of `moments`, in seconds. */
export async function playSound(
  browser: Browser,
  url: string,
  moments: readonly number[],
): Promise<Playback> {
  const page = await browser.newPage()
  const responses: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'media') return
    responses.push(`${response.status()} ${response.headers()['cache-status']}`)
  })
  await page.goto(url)
  const sound = page.locator('audio, video').first()
  const range = await sound.evaluate(load)
  const positions: number[] = []
  for (const moment of moments) positions.push(await sound.evaluate(seek, moment))
  await page.close()
  return { ...range, positions, responses }
}

async function load(media: MediaElement) {
  media.muted = true
  if (media.readyState === 0)
    await new Promise((resolve) => media.addEventListener('loadedmetadata', resolve))
  return { duration: media.duration, seekable: media.seekable.end(0) }
}

async function seek(media: MediaElement, moment: number): Promise<number> {
  const seeked = new Promise((resolve) => media.addEventListener('seeked', resolve))
  media.currentTime = moment
  await seeked
  await media.play()
  while (media.currentTime === moment) await new Promise((resolve) => setTimeout(resolve, 20))
  media.pause()
  return media.currentTime
}
