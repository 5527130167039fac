// Stands before @types/node, which liquidjs refers to, so that no worker compiles against Node's globals.
export {}
