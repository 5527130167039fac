// Pulumi.yaml loads this file before the program, because an older Node fails with «Unknown file extension
// ".ts"».
const MIN_MAJOR_VERSION = 24
const { node } = process.versions

if (Number(node.split('.')[0]) < MIN_MAJOR_VERSION) {
  console.error(
    `The Pulumi program needs Node ${MIN_MAJOR_VERSION} or later, and the first \`node\` on PATH is ${node}. ` +
      'Run the CLI through npm (`npx pulumi …`), which brings Node 24, or put a newer Node first on PATH.',
  )
  process.exit(1)
}
