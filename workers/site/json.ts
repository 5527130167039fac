import type * as z from 'zod/mini'

/** Parses JSON; returns undefined when it is invalid or does not match the schema. */
export function parseJson<T>(text: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
