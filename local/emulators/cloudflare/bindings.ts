import * as z from 'zod/mini'

const name = z.string().check(z.regex(/^[a-zA-Z_$][\w$]*$/, 'is not a valid binding name'))
const VARIABLE_BYTES = 5 * 1024
const text = z
  .string()
  .check(z.refine((value) => Buffer.byteLength(value) <= VARIABLE_BYTES, 'is larger than 5 KB'))

/** Types of bindings that the local edge supports; uploads with another type are rejected. */
export const Binding = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plain_text'), name, text }),
  z.object({ type: z.literal('secret_text'), name, text }),
  z.object({ type: z.literal('json'), name, json: text }),
  z.object({ type: z.literal('kv_namespace'), name, namespaceId: z.string() }),
  z.object({ type: z.literal('d1'), name, databaseId: z.string() }),
  z.object({ type: z.literal('service'), name, service: z.string() }),
  z.object({
    type: z.literal('ratelimit'),
    name,
    namespaceId: z.string(),
    simple: z.object({
      limit: z.int().check(z.positive()),
      period: z.union([z.literal(10), z.literal(60)]),
    }),
  }),
])
export type Binding = z.infer<typeof Binding>
