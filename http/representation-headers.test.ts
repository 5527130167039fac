import { expect, test } from 'vitest'
import { representationHeaders } from './representation-headers.ts'

const headersOf = (key: string, contentType = '', stored = {}) =>
  representationHeaders({
    key,
    contentType,
    contentDisposition: '',
    contentLanguage: '',
    ...stored,
  })
const SANDBOX_HEADERS = {
  'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
}
const download = (name: string) => ({
  ...SANDBOX_HEADERS,
  'content-disposition': expect.stringMatching(`^attachment; filename="${name}"`),
})

test.each([
  ['a.jpg', 'image/jpeg', 'image/jpeg'],
  ['a.jpg', undefined, 'image/jpeg'],
  ['A.JPG', 'binary/octet-stream', 'image/jpeg'],
  ['a.webm', 'application/octet-stream', 'video/webm'],
  ['a.woff2', '', 'font/woff2'],
  ['css/news/12.css', 'text/css', 'text/css; charset=utf-8'],
  ['a.txt', 'Text/Plain; charset=iso-8859-1', 'text/plain; charset=iso-8859-1'],
  ['a.jpg', 'not a type', 'image/jpeg'],
  ['a.jpg', 'image/png\r\nset-cookie: x', 'image/jpeg'],
  ['a.pdf', 'application/pdf', 'application/pdf'],
  ['a.mp3', 'audio/mpeg; codecs="mp3"', 'audio/mpeg; codecs="mp3"'],
  ['a', 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"', 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"'],
  ['a.jpg', 'text/html, image/png', 'image/jpeg'],
])('%s stored as %j is displayed as %s', (key, stored, type) => {
  expect(headersOf(key, stored)).toEqual({ 'content-type': type })
})

test.each([
  ['a.svg', 'image/svg+xml'],
  ['a.svg', undefined],
  ['a.png', 'image/svg+xml; charset=utf-8'],
])('%s stored as %j is displayed in a sandbox', (key, stored) => {
  expect(headersOf(key, stored)).toEqual({ 'content-type': 'image/svg+xml', ...SANDBOX_HEADERS })
})

test.each([
  ['a.zip', 'application/zip', 'application/zip', 'a.zip'],
  ['a.html', 'text/html', 'application/octet-stream', 'a.html'],
  ['a.jpg', 'text/html; charset=utf-8', 'application/octet-stream', 'a.jpg'],
  ['a.js', 'text/javascript', 'application/octet-stream', 'a.js'],
  ['a.js', 'application/x-javascript', 'application/octet-stream', 'a.js'],
  ['a', 'application/xhtml+xml', 'application/octet-stream', 'a'],
  ['a', 'image/x+xml', 'application/octet-stream', 'a'],
  ['a', 'image/xml', 'application/octet-stream', 'a'],
  ['a.xml', 'application/xml', 'application/octet-stream', 'a.xml'],
  ['a.html', undefined, 'application/octet-stream', 'a.html'],
  ['a.constructor', undefined, 'application/octet-stream', 'a.constructor'],
  ['dir/café "x".bin', undefined, 'application/octet-stream', 'caf_ _x_.bin'],
])('%s stored as %j is a download of type %s', (key, stored, type, name) => {
  expect(headersOf(key, stored)).toEqual({ 'content-type': type, ...download(name) })
})

test('a download has its exact name, encoded by RFC 8187', () => {
  expect(headersOf("dir/it's café.bin", undefined)['content-disposition']).toBe(
    `attachment; filename="it's caf_.bin"; filename*=UTF-8''it%27s%20caf%C3%A9.bin`,
  )
})

test('the stored disposition and language are sent', () => {
  const stored = {
    contentDisposition: 'attachment; filename="report.pdf"',
    contentLanguage: 'en, de-AT',
  }
  expect(headersOf('a.pdf', 'application/pdf', stored)).toEqual({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="report.pdf"',
    'content-language': 'en, de-AT',
  })
})

test.each(['form-data; name="x"', 'inline\r\nset-cookie: x', 'attachment; filename=café'])(
  'the invalid disposition %j is not sent',
  (contentDisposition) => {
    expect(headersOf('a.jpg', 'image/jpeg', { contentDisposition })).toEqual({
      'content-type': 'image/jpeg',
    })
  },
)

test('HTML is a download even if it is stored as inline', () => {
  const headers = headersOf('a.html', 'text/html', { contentDisposition: 'inline' })
  expect(headers['content-disposition']).toMatch(/^attachment;/)
})
