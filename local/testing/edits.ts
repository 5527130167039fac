/** A change of a project file, and the URL of a response that the change affects. */
export interface Edit {
  name: string
  /** Upper bound of the median time until it is served, in milliseconds; absent where none is promised. */
  goal?: number
  file: string
  /** Returns the changed content, and a text that only the changed response contains. */
  change(content: string, mark: string): { content: string; shows: string }
  /** Returns the URL of a response with the change. */
  address(cloud: { port: number; env: Record<string, string | undefined> }): string
}

const [WORKER_MS, API_MS, STACK_FILE_MS] = [400, 900, 2500]

const append: Edit['change'] = (content, mark) => ({
  content: `${content}\n<!-- ${mark} -->\n`,
  shows: mark,
})
const prependComment: Edit['change'] = (content, mark) => ({
  content: `/* ${mark} */\n${content}`,
  shows: mark,
})
const appendParagraph: Edit['change'] = (content, mark) => ({
  content: `${content}\n\n${mark}\n`,
  shows: mark,
})

/** Returns a change that replaces a text. It throws when the file does not contain the text. */
const replace =
  (from: string | RegExp, to: (mark: string) => string): Edit['change'] =>
  (content, mark) => {
    const changed = content.replace(from, () => to(mark))
    if (changed === content) throw new Error(`The file does not contain ${from}.`)
    return { content: changed, shows: mark }
  }

/** Replaces the site of a host by the other newsroom. */
const switchSite: Edit['change'] = (content) => {
  const [, site] = /CMS_SITE_ID: (\w+)/.exec(content) ?? []
  const other = site === 'harbour' ? 'meridian' : 'harbour'
  return {
    content: content.replace(/CMS_SITE_ID: \w+/, `CMS_SITE_ID: ${other}`),
    shows: other === 'harbour' ? '<title>The Harbour Post' : '<title>Meridian',
  }
}

const onHost =
  (host: string, path: string): Edit['address'] =>
  ({ port }) =>
    `http://${host}.localhost:${port}${path}`
const onApi =
  (path: string): Edit['address'] =>
  ({ env }) =>
    new URL(path, env.SITE_STAGE_CMS_API_BASE_URL).href

const worker = { goal: WORKER_MS }
const api = { goal: API_MS }
const stackFile = { goal: STACK_FILE_MS }

export const EDITS: readonly Edit[] = [
  {
    ...worker,
    name: 'worker.site',
    file: 'workers/site/admin/health.ts',
    change: replace('    worker,\n', (mark) => `    worker: '${mark}',\n`),
    address: onHost('stage', '/__cms/health'),
  },
  {
    ...worker,
    name: 'worker.media',
    file: 'workers/media/request/response.ts',
    change: replace(
      "'x-content-type-options'",
      (mark) => `'x-mark': '${mark}', 'x-content-type-options'`,
    ),
    address: onHost('stage', '/cmp-media/documents/harbour-plan-2040.pdf'),
  },
  {
    ...worker,
    name: 'worker.leaf',
    file: 'http/problem.ts',
    change: replace(
      "all.set('cache-control'",
      (mark) => `all.set('x-mark', '${mark}')\n  all.set('cache-control'`,
    ),
    address: onHost('stage', '/__cms/purge'),
  },
  {
    ...worker,
    name: 'template.default',
    file: 'themes/templates/default/layout/search.liquid',
    change: append,
    address: onHost('stage', '/search'),
  },
  {
    ...worker,
    name: 'template.theme',
    file: 'themes/templates/harbour/layout/home.liquid',
    change: append,
    address: onHost('stage', '/'),
  },
  {
    ...worker,
    name: 'template.partial',
    file: 'themes/templates/default/partial/footer.liquid',
    change: append,
    address: onHost('prod', '/'),
  },
  {
    ...worker,
    name: 'stylesheet.harbour',
    file: 'themes/css/harbour/1.0.0.css',
    change: prependComment,
    address: onHost('stage', '/cmp-media/css/harbour/1.0.0.css'),
  },
  {
    ...worker,
    name: 'stylesheet.meridian',
    file: 'themes/css/meridian/1.0.0.css',
    change: prependComment,
    address: onHost('prod', '/cmp-media/css/meridian/1.0.0.css'),
  },
  {
    ...worker,
    name: 'demo.article',
    file: 'demo/content/harbour/articles/tides-explained-by-a-bathtub.en.md',
    change: appendParagraph,
    address: onHost('stage', '/tides-explained-by-a-bathtub'),
  },
  {
    ...worker,
    name: 'demo.translation',
    file: 'demo/content/harbour/articles/die-bahn-die-keiner-wollte-ist-voll.de.md',
    change: appendParagraph,
    address: onHost('stage', '/de/die-bahn-die-keiner-wollte-ist-voll'),
  },
  {
    ...worker,
    name: 'demo.site',
    file: 'demo/content/harbour/site.yaml',
    change: replace(/tagline: .*/, (mark) => `tagline: ${mark}`),
    address: onHost('stage', '/'),
  },
  {
    ...api,
    name: 'api',
    file: 'api/openapi/document.ts',
    change: replace("'Public read API'", (mark) => `'${mark}'`),
    address: onApi('/openapi.json'),
  },
  {
    name: 'program',
    file: 'infra/bindings.ts',
    change: replace('plainText(worker.name)', (mark) => `plainText('${mark}')`),
    address: onHost('stage2', '/__cms/health'),
  },
  {
    ...stackFile,
    name: 'stack-file.stage',
    file: 'Pulumi.site-stage.yaml',
    change: switchSite,
    address: onHost('stage', '/'),
  },
  {
    ...stackFile,
    name: 'stack-file.prod',
    file: 'Pulumi.site-prod.yaml',
    change: switchSite,
    address: onHost('prod', '/'),
  },
]
