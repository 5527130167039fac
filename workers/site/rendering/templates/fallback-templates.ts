const DOCUMENT = `<!doctype html>
<html lang="{{ language.code }}" dir="{{ language.direction | default: 'ltr' }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ seo.title }}</title>
<meta name="robots" content="{{ seo.robots }}">
<link rel="stylesheet" href="{{ css_path }}">
</head>
<body>
<p><a href="{{ paths.home }}">{{ site.title }}</a></p>
<main id="content">
{{ content }}
</main>
</body>
</html>
`

const CONTENT = `<h1>{{ page.title }}</h1>
{{ article.body_html }}{{ text }}
{%- for item in list.items %}
<p><a href="{{ item.path }}">{{ item.title }}</a></p>
{%- endfor %}
`

const HOME = `{%- list latest kind: 'recent', limit: 20 -%}
<h1>{{ page.title }}</h1>
{%- for item in latest %}
<p><a href="{{ item.path }}">{{ item.title }}</a></p>
{%- endfor %}
`

/** Returns the source of last resort of a page or the document, for when the CMS has none that works. */
export function toFallbackSource(key: string): string {
  if (key === 'document') return DOCUMENT
  return key === 'home' ? HOME : CONTENT
}
