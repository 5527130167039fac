import { resolve } from 'node:path'
import { argv, stdin, stdout } from 'node:process'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

type Handler = (event: unknown) => Promise<unknown>

try {
  const handler = await loadHandler(argv[2])
  const result = await handler(JSON.parse(await text(stdin)))
  stdout.write(JSON.stringify(result ?? null))
} catch (error) {
  stdout.write(JSON.stringify({ errorMessage: error instanceof Error ? error.message : error }))
  process.exitCode = 1
}

async function loadHandler(path = ''): Promise<Handler> {
  const entry: unknown = await import(pathToFileURL(resolve(path)).href)
  if (hasHandler(entry)) return entry.handler
  throw new Error(`${path} exports no function "handler".`)
}

function hasHandler(entry: unknown): entry is { handler: Handler } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'handler' in entry &&
    typeof entry.handler === 'function'
  )
}
