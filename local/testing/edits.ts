/** A change of a project file, and the URL of a response that the change affects. */
export interface Edit {
  name: string
  /** Goal for the median time until the change is served, in milliseconds; absent where there is none. */
  goal?: number
  file: string
  /** Returns the changed content, and a text that only the changed response contains, usually `mark`. */
  change(content: string, mark: string): { content: string; shows: string }
  /** Returns the URL of a response with the change. */
  toUrl(cloud: { port: number; env: Record<string, string | undefined> }): string
}

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

/** Replaces the site in a stack file by the other demo site. */
const switchSite: Edit['change'] = (content) => {
  const [, site] = /CMS_SITE_ID: (\w+)/.exec(content) ?? []
  const other = site === 'harbour' ? 'meridian' : 'harbour'
  return {
    content: content.replace(/CMS_SITE_ID: \w+/, `CMS_SITE_ID: ${other}`),
    shows: other === 'harbour' ? '<title>The Harbour Post' : '<title>Meridian',
  }
}

const onHost =
  (host: string, path: string): Edit['toUrl'] =>
  ({ port }) =>
    `http://${host}.localhost:${port}${path}`
const onApi =
  (path: string): Edit['toUrl'] =>
  ({ env }) =>
    new URL(path, env.SITE_STAGE_CMS_API_BASE_URL).href

/** Goals of workers, templates, stylesheets and demo content; of the read API; of stack files. */
const workerOrContent = { goal: 400 }
const readApi = { goal: 900 }
const stackFile = { goal: 2500 }

export const EDITS: readonly Edit[] = [
  {
    ...workerOrContent,
    name: 'worker.site',
    file: 'workers/site/admin/health.ts',
    change: replace('    worker,\n', (mark) => `    worker: '${mark}',\n`),
    toUrl: onHost('stage', '/__cms/health'),
  },
  {
    ...workerOrContent,
    name: 'worker.media',
    file: 'workers/media/request/response.ts',
    change: replace(
      "'x-content-type-options'",
      (mark) => `'x-mark': '${mark}', 'x-content-type-options'`,
    ),
    toUrl: onHost('stage', '/cmp-media/documents/harbour-plan-2040.pdf'),
  },
  {
    ...workerOrContent,
    name: 'worker.leaf',
    file: 'http/problem.ts',
    change: replace(
      "all.set('cache-control'",
      (mark) => `all.set('x-mark', '${mark}')\n  all.set('cache-control'`,
    ),
    toUrl: onHost('stage', '/__cms/purge'),
  },
  {
    ...workerOrContent,
    name: 'template.default',
    file: 'themes/templates/default/layout/search.liquid',
    change: append,
    toUrl: onHost('stage', '/search'),
  },
  {
    ...workerOrContent,
    name: 'template.theme',
    file: 'themes/templates/harbour/layout/home.liquid',
    change: append,
    toUrl: onHost('stage', '/'),
  },
  {
    ...workerOrContent,
    name: 'template.partial',
    file: 'themes/templates/default/partial/footer.liquid',
    change: append,
    toUrl: onHost('prod', '/'),
  },
  {
    ...workerOrContent,
    name: 'stylesheet.harbour',
    file: 'themes/css/harbour/1.0.0.css',
    change: prependComment,
    toUrl: onHost('stage', '/cmp-media/css/harbour/1.0.0.css'),
  },
  {
    ...workerOrContent,
    name: 'stylesheet.meridian',
    file: 'themes/css/meridian/1.0.0.css',
    change: prependComment,
    toUrl: onHost('prod', '/cmp-media/css/meridian/1.0.0.css'),
  },
  {
    ...workerOrContent,
    name: 'demo.article',
    file: 'demo/content/harbour/articles/tides-explained-by-a-bathtub.en.md',
    change: appendParagraph,
    toUrl: onHost('stage', '/tides-explained-by-a-bathtub'),
  },
  {
    ...workerOrContent,
    name: 'demo.translation',
    file: 'demo/content/harbour/articles/die-bahn-die-keiner-wollte-ist-voll.de.md',
    change: appendParagraph,
    toUrl: onHost('stage', '/de/die-bahn-die-keiner-wollte-ist-voll'),
  },
  {
    ...workerOrContent,
    name: 'demo.site',
    file: 'demo/content/harbour/site.yaml',
    change: replace(/tagline: .*/, (mark) => `tagline: ${mark}`),
    toUrl: onHost('stage', '/'),
  },
  {
    ...readApi,
    name: 'api',
    file: 'api/openapi/document.ts',
    change: replace("'Public read API'", (mark) => `'${mark}'`),
    toUrl: onApi('/openapi.json'),
  },
  {
    name: 'program',
    file: 'infra/bindings.ts',
    change: replace('plainText(worker.name)', (mark) => `plainText('${mark}')`),
    toUrl: onHost('stage2', '/__cms/health'),
  },
  {
    ...stackFile,
    name: 'stack-file.stage',
    file: 'Pulumi.site-stage.yaml',
    change: switchSite,
    toUrl: onHost('stage', '/'),
  },
  {
    ...stackFile,
    name: 'stack-file.prod',
    file: 'Pulumi.site-prod.yaml',
    change: switchSite,
    toUrl: onHost('prod', '/'),
  },
]
