import { expect, test } from 'vitest'
import { sanitiseRichText, toPlainText } from './rich-text.ts'

test.each([
  ['text is kept', '<p>A <em>fine</em> day</p>', '<p>A <em>fine</em> day</p>'],
  ['scripts are removed with their contents', '<p>a<script>x()</script></p>', '<p>a</p>'],
  ['handlers are removed', '<p onclick="x()">a</p>', '<p>a</p>'],
  ['styles are removed', '<style>p{}</style><p style="color:red">a</p>', '<p>a</p>'],
  ['javascript: URLs are removed', '<a href="javascript:x()">a</a>', '<a>a</a>'],
  [
    'javascript: URLs with white space are removed',
    '<a href=" java\tscript:x()">a</a>',
    '<a>a</a>',
  ],
  ['data: URLs are removed', '<img src="data:text/html,x" alt="a">', '<img alt="a" />'],
  ['URLs with a host but no scheme are removed', '<a href="//evil.example/">a</a>', '<a>a</a>'],
  [
    'http, https and relative URLs are kept',
    '<a href="/a">a</a><a href="https://b.example/">b</a><a href="http://c.example/">c</a>',
    '<a href="/a">a</a><a href="https://b.example/">b</a><a href="http://c.example/">c</a>',
  ],
  ['frames are removed', '<iframe src="https://x.example/"></iframe>', ''],
  ['forms are removed, but not their text', '<form action="/x"><input name="a">t</form>', 't'],
  ['SVG is removed', '<svg><script>x()</script></svg>', ''],
  ['comments are removed', '<!-- <script>x()</script> -->a', 'a'],
  [
    'figures are kept',
    '<figure><img src="/a.jpg" alt="A" width="4" height="3"><figcaption>A</figcaption></figure>',
    '<figure><img src="/a.jpg" alt="A" width="4" height="3" /><figcaption>A</figcaption></figure>',
  ],
  ['open elements are closed', '<p><b>a', '<p><b>a</b></p>'],
  ['a less-than sign outside a tag is text', 'a < b', 'a &lt; b'],
])('%s', (_, html, clean) => {
  expect(sanitiseRichText(html)).toBe(clean)
  expect(sanitiseRichText(clean)).toBe(clean)
})

test('plain text has neither tags nor entities', () => {
  expect(toPlainText('<p>Fish &amp; chips,</p>\n<p>1 &lt; 2 &eacute;</p>')).toBe(
    'Fish & chips, 1 < 2 é',
  )
})
