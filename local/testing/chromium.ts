import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { UserError } from '../lib/user-error.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

export const NO_CHROMIUM =
  'Chromium is not installed. Put it on PATH, or set CHROME_PATH to its executable.'

/** Returns the executable in CHROME_PATH, otherwise the first Chromium or Chrome on PATH. */
export function findChromium({ CHROME_PATH, PATH = '' } = process.env): string | undefined {
  if (CHROME_PATH) return CHROME_PATH
  const paths = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return paths.find(isExecutable)
}

/**
 * Starts a headless browser, which resolves `*.localhost` without DNS.
 *
 * @throws UserError when none is installed
 */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new UserError(NO_CHROMIUM)
  // Chromium's sandbox does not run as root.
  return chromium.launch({
    executablePath,
    args: [...args],
    chromiumSandbox: process.getuid?.() !== 0,
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
