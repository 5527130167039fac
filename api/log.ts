import { pino } from 'pino'

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Creates a logger that writes JSON lines to stdout. Callers pass no headers, query strings or secrets. */
export function createLogger(level: pino.LevelWithSilent): pino.Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
