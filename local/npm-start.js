import { enableCompileCache } from 'node:module'

// JavaScript, since Node would strip a TypeScript entry point's types before its compile cache is enabled.
enableCompileCache(new URL('../node_modules/.cache/compile', import.meta.url).pathname)
await import('./index.ts')
