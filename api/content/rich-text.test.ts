import { expect, test } from 'vitest'
import { sanitiseRichText, toPlainText } from './rich-text.ts'

test.each([
  ['text stays', '<p>A <em>fine</em> day</p>', '<p>A <em>fine</em> day</p>'],
  ['scripts go, contents and all', '<p>a<script>x()</script></p>', '<p>a</p>'],
  ['handlers go', '<p onclick="x()">a</p>', '<p>a</p>'],
  ['styles go', '<style>p{}</style><p style="color:red">a</p>', '<p>a</p>'],
  ['javascript: goes', '<a href="javascript:x()">a</a>', '<a>a</a>'],
  ['in any disguise', '<a href=" java\tscript:x()">a</a>', '<a>a</a>'],
  ['data: goes', '<img src="data:text/html,x" alt="a">', '<img alt="a" />'],
  ['a host without scheme goes', '<a href="//evil.example/">a</a>', '<a>a</a>'],
  [
    'http, https and relative stay',
    '<a href="/a">a</a><a href="https://b.example/">b</a>',
    '<a href="/a">a</a><a href="https://b.example/">b</a>',
  ],
  ['frames go', '<iframe src="https://x.example/"></iframe>', ''],
  ['forms go', '<form action="/x"><input name="a">t</form>', 't'],
  ['SVG goes', '<svg><script>x()</script></svg>', ''],
  ['comments go', '<!-- <script>x()</script> -->a', 'a'],
  [
    'figures stay',
    '<figure><img src="/a.jpg" alt="A" width="4" height="3"><figcaption>A</figcaption></figure>',
    '<figure><img src="/a.jpg" alt="A" width="4" height="3" /><figcaption>A</figcaption></figure>',
  ],
  ['what is open is closed', '<p><b>a', '<p><b>a</b></p>'],
  ['a stray less-than is text', 'a < b', 'a &lt; b'],
])('%s', (_, html, clean) => {
  expect(sanitiseRichText(html)).toBe(clean)
  expect(sanitiseRichText(clean)).toBe(clean)
})

test('plain text has neither tags nor entities', () => {
  expect(toPlainText('<p>Fish &amp; chips,</p>\n<p>1 &lt; 2 &eacute;</p>')).toBe(
    'Fish & chips, 1 < 2 é',
  )
})
