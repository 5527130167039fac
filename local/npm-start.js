import { enableCompileCache } from 'node:module'

// JavaScript, so that no type is stripped before the cache of stripped modules is open.
enableCompileCache(new URL('../node_modules/.cache/compile', import.meta.url).pathname)
await import('./index.ts')
