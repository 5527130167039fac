/** `node:http`: an import statement would load undici too, for the globals that the module names. */
export const http = process.getBuiltinModule('node:http')
