import * as z from 'zod/mini'
import { Instant } from './primitives.ts'

/** `GET /ping`: the process is running; the database is not checked. */
export const Ping = z.strictObject({ status: z.literal('ok'), time: Instant })
export type Ping = z.infer<typeof Ping>

/** Path of the endpoint below the base URL of the API. */
export const pingPath = (): string => '/ping'
