import { enableCompileCache } from 'node:module'

// JavaScript: Node would strip the types of a TypeScript entry point before its compile cache is enabled.
enableCompileCache(new URL('../node_modules/.cache/compile', import.meta.url).pathname)
await import('./index.ts')
