import { expect, test } from 'vitest'
import { addReloadScript, allowReloadScript } from './reload-script.ts'

test('adds the script at the end of the body, or of a page without a body tag', () => {
  expect(addReloadScript('<body><p>a</p></body>')).toMatch(/<p>a<\/p><script>.+<\/script><\/body>$/)
  expect(addReloadScript('<p>a')).toMatch(/^<p>a<script>/)
})

test.each([
  ["default-src 'none'", /^default-src 'none'; script-src 'sha256-\S+'; connect-src 'self'$/],
  ["script-src 'self'; connect-src 'none'", /^script-src 'self' 'sha256-\S+'; connect-src 'self'$/],
  ["default-src 'self'; img-src *", /script-src 'self' 'sha256-\S+'; connect-src 'self' 'self'$/],
])('extends %s by the script and its event stream only', (policy, expected) => {
  expect(allowReloadScript(policy)).toMatch(expected)
})
