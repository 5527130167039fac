// TypeScript finds this empty file instead of @types/node (`typeRoots` in tsconfig.worker.json). liquidjs refers to
// @types/node, but workers must not use Node's globals.
export {}
