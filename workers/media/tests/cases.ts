import type { Case } from './case.ts'
import { READING } from './cases/reading.ts'
import { SLICES } from './cases/slices.ts'
import { TROUBLE } from './cases/trouble.ts'

/** Requests to a media worker and their responses: the same for every S3-compatible store. */
export const CASES: Case[] = [...READING, ...SLICES, ...TROUBLE]
