import type { Case } from './case.ts'
import { READING } from './cases/reading.ts'
import { SLICES } from './cases/slices.ts'
import { STORE_FAULTS } from './cases/store-faults.ts'

/** Requests to a media worker with their expected responses, for any S3-compatible store. */
export const CASES: Case[] = [...READING, ...SLICES, ...STORE_FAULTS]
