import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findChromium, openChromium } from '../../../local/testing/chromium.ts'
import { createDouble } from './stores.ts'
import { createWorkerd } from './workerd.ts'

// The repository has no video of 80 MiB and no browser. To run the test, set MEDIA_TEST_VIDEO to a file:
//   apt-get install chromium ffmpeg
//   ffmpeg -f lavfi -i testsrc2=size=1280x720:rate=25 -t 120 -b:v 5600k -minrate 5600k \
//     -maxrate 5600k -bufsize 2M -c:v libx264 -x264-params nal-hrd=cbr video.mp4
const VIDEO = process.env.MEDIA_TEST_VIDEO ?? ''
const SLICE = 2 * 1024 * 1024
// The player reads ahead for a while after a seek and then stops. With this pause, two viewers usually
// read the same bytes.
const SETTLE_MS = 3000
const SEEK_SECONDS = [90, 20, 110, 50, 70]

// Defines seek(), which resolves to the position of the player in seconds.
const SEEK_SCRIPT = `
  const video = document.querySelector('video')
  const seek = (seconds) => new Promise((resolve, reject) => {
    video.onerror = () => reject(new Error(video.error.message))
    const jump = () => {
      video.onseeked = () => resolve(video.currentTime)
      video.currentTime = seconds
    }
    if (video.readyState > 0) jump()
    else video.onloadedmetadata = jump
  })
`

test.skipIf(!existsSync(VIDEO) || !findChromium())(
  'two viewers of a video, each with five seeks, read each slice from the store once',
  async () => {
    const bytes = await readFile(VIDEO)
    const double = createDouble()
    double.put('video.mp4', bytes, { 'content-type': 'video/mp4' })
    const storeReads: string[] = []
    const handle = (request: Request) => {
      storeReads.push(request.headers.get('range') ?? 'whole')
      return double.handle(request)
    }
    const harness = await createWorkerd({ ...double, handle })
    const browser = await openChromium()
    try {
      const url = harness.toUrl('reader', '/cmp-media/video.mp4')
      const watch = async () => {
        // A new profile has an empty browser cache.
        const page = await (await browser.newContext()).newPage()
        const ranges: string[] = []
        page.on('request', (request) => ranges.push(request.headers().range ?? 'whole'))
        await page.setContent(`<video muted preload="auto" src="${url}"></video>`)
        await page.addScriptTag({ content: SEEK_SCRIPT })
        for (const [index, seconds] of SEEK_SECONDS.entries()) {
          const time = await page.evaluate<number>(`seek(${seconds})`)
          expect(time, `seek ${index}`).toBeGreaterThanOrEqual(seconds)
          await page.waitForTimeout(SETTLE_MS)
        }
        await page.context().close()
        return ranges
      }
      const ranges = await watch()
      const toSlice = (range: string) => Number(/\d+/.exec(range)?.[0]) / SLICE
      const slices = new Set(storeReads.map(toSlice))
      console.log(
        `${(bytes.length / 1024 / 1024).toFixed(0)} MiB: ${ranges.length} requests, ${storeReads.length} store reads of ${slices.size} slices of ${Math.ceil(bytes.length / SLICE)}`,
      )
      expect(storeReads.length).toBe(slices.size)
      storeReads.length = 0
      const secondRanges = await watch()
      console.log(
        `second viewer: ${secondRanges.length} requests, ${storeReads.length} store reads`,
      )
      // A player may read further ahead than the first one did, but no slice is read again.
      expect(storeReads.map(toSlice).filter((slice) => slices.has(slice))).toEqual([])
    } finally {
      await browser.close()
      await harness.stop()
    }
  },
  120_000,
)
