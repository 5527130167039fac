import * as z from 'zod/mini'
import { CloudflareError, type Script } from './account.ts'
import { Binding } from './bindings.ts'

/** Puts a result into the envelope that all responses of Cloudflare's API have, except a script's content. */
export function toEnvelope(result: unknown) {
  return { success: true, errors: [], messages: [], result }
}

export function toErrorEnvelope({ code, message }: { code: number; message: string }) {
  return { success: false, errors: [{ code, message }], messages: [], result: null }
}

/** Puts a list into an envelope with a single page. */
export function toListEnvelope(result: readonly unknown[]) {
  const count = result.length
  const result_info = { page: 1, per_page: Math.max(count, 20), count, total_count: count }
  return { ...toEnvelope(result), result_info: { ...result_info, total_pages: 1 } }
}

/**
 * Parses a request body.
 *
 * @throws CloudflareError 400 when it does not match the schema
 */
export function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, value)
  if (success) return data
  const [issue] = error.issues
  throw new CloudflareError(400, 10021, `${issue?.path.join('.')}: ${issue?.message}`)
}

const Metadata = z.looseObject({
  main_module: z.string(),
  bindings: z._default(z.array(z.looseObject({ type: z.string(), name: z.string() })), []),
  keep_bindings: z._default(z.array(z.string()), []),
  compatibility_date: z.string(),
  compatibility_flags: z._default(z.array(z.string()), []),
})

/** Builds a script from an upload's metadata and content; as in Cloudflare, `old` loses its settings. */
export function parseScript(upload: unknown, content: string, old: Script | undefined): Script {
  const { main_module, bindings, keep_bindings, ...rest } = parseBody(Metadata, upload)
  const { compatibility_date, compatibility_flags, ...settings } = rest
  const uploaded = bindings.map((binding) => parseBinding(binding, old))
  const kept = (old?.bindings ?? []).filter(
    ({ type, name }) =>
      keep_bindings.includes(type) && !uploaded.some((each) => each.name === name),
  )
  return {
    mainModule: main_module,
    content,
    bindings: [...uploaded, ...kept],
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    settings,
  }
}

function parseBinding(wire: Record<string, unknown>, old: Script | undefined): Binding {
  if (wire.type === 'inherit') {
    const inherited = old?.bindings.find(({ name }) => name === (wire.old_name ?? wire.name))
    if (inherited) return { ...inherited, name: String(wire.name) }
    throw new CloudflareError(400, 10057, `there is no binding ${wire.name} to inherit`)
  }
  const { namespace_id: namespaceId, database_id, id, json, ...others } = wire
  // `id` is the older name of `database_id`.
  const databaseId = database_id ?? id
  const text = typeof json === 'string' || json === undefined ? json : JSON.stringify(json)
  return parseBody(Binding, { ...others, namespaceId, databaseId, json: text })
}

/** Converts a binding to the API's format, without the value of a secret, which the API never returns. */
export function toWireBinding(binding: Binding): object {
  if (binding.type === 'secret_text') return { name: binding.name, type: binding.type }
  if (binding.type === 'd1') {
    const { databaseId, ...others } = binding
    return { ...others, database_id: databaseId, id: databaseId }
  }
  if (!('namespaceId' in binding)) return binding
  const { namespaceId, ...others } = binding
  return { ...others, namespace_id: namespaceId }
}

export function toWireSettings(script: Script): object {
  return {
    placement: {},
    logpush: false,
    tail_consumers: null,
    tags: null,
    usage_model: 'standard',
    ...script.settings,
    bindings: script.bindings.map(toWireBinding),
    compatibility_date: script.compatibilityDate,
    compatibility_flags: script.compatibilityFlags,
  }
}
