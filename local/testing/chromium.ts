import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { UserError } from '../lib/user-error.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

export const NO_CHROMIUM =
  'There is no chromium: install one on the PATH, or name its executable by CHROME_PATH.'

/** The executable that CHROME_PATH names, else the first one on the PATH. */
export function findChromium({ CHROME_PATH, PATH = '' } = process.env): string | undefined {
  if (CHROME_PATH) return CHROME_PATH
  const paths = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return paths.find(isExecutable)
}

/** A headless browser, which finds `*.localhost` by itself. Throws a UserError when there is none. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new UserError(NO_CHROMIUM)
  // Chromium's sandbox refuses to run as root.
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
