import type { Case } from './case.ts'
import { READING } from './cases/reading.ts'
import { SLICES } from './cases/slices.ts'
import { TROUBLE } from './cases/trouble.ts'

/** What a media worker answers; the same from every store that speaks S3. */
export const CASES: Case[] = [...READING, ...SLICES, ...TROUBLE]
