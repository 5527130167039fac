import { pino } from 'pino'

export type Logger = Pick<pino.Logger, 'info' | 'warn' | 'error'>

/** JSON lines on stdout. What goes in is chosen line by line: no headers, no query strings, no secrets. */
export function createLogger(level: pino.LevelWithSilent): pino.Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
