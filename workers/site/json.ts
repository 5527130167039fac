import type * as z from 'zod/mini'

/** Parses JSON by a schema; undefined when it does not match. */
export function parseJson<T>(text: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
