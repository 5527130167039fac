// @ts-expect-error: the wrapped script's main module, which exists only in workerd
import initial from './initial.mjs'

interface Script {
  fetch(request: Request, env: object, context: object): Promise<Response> | Response
  scheduled?(event: object, env: object, context: object): Promise<void> | void
}
/** Binding of workerd that creates functions from code. */
interface UnsafeEval {
  newFunction(code: string, name: string, ...parameters: string[]): (...values: object[]) => void
}
type Env = { LOCAL_EVAL: UnsafeEval; LOCAL_TOKEN: string } & Record<string, unknown>

let current: Script = initial
let scriptEnv: object | undefined

/** Runs a script whose code a request can replace; its bindings and caches stay. Used only in watch mode. */
export default {
  async fetch(request: Request, env: Env, context: object): Promise<Response> {
    if (request.headers.get('local-code-token') === env.LOCAL_TOKEN) return replace(request, env)
    return current.fetch(request, toScriptEnv(env), context)
  },
  scheduled: (event: object, env: Env, context: object) =>
    current.scheduled?.(event, toScriptEnv(env), context),
}

async function replace(request: Request, { LOCAL_EVAL }: Env): Promise<Response> {
  const module: { exports: { default?: Script } } = { exports: {} }
  try {
    LOCAL_EVAL.newFunction(
      await request.text(),
      'script',
      'module',
      'exports',
    )(module, module.exports)
  } catch (error) {
    return new Response(String(error), { status: 422 })
  }
  const { default: next } = module.exports
  if (!next) return new Response('The script has no default export.', { status: 422 })
  current = next
  return new Response(null, { status: 204 })
}

// Returns the same object at every call, as workerd does without this wrapper.
function toScriptEnv({ LOCAL_EVAL: _, LOCAL_TOKEN: __, ...bindings }: Env): object {
  scriptEnv ??= bindings
  return scriptEnv
}
