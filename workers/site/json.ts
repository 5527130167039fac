import type * as z from 'zod/mini'

/** JSON that fits the schema; undefined for anything else. */
export function parseJson<T>(text: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
