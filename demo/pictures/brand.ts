/** How each newsroom signs its name. */
const MARKS: Record<string, { color: string; ink: string; mark: string; serif: boolean }> = {
  harbour: {
    color: '#12324a',
    ink: '#f4efe4',
    serif: true,
    mark: '<path d="M48 14a9 9 0 1 1-.1 0Zm0 5.500a3.500 3.500 0 1 0 .1 0ZM45 32h6v6h11v6H51v30c8-1 15-6 18-13l-6 1 12-14 6 17-6-2c-4 12-14 19-27 19s-23-7-27-19l-6 2 6-17 12 14-6-1c3 7 10 12 18 13V44H34v-6h11Z"/>',
  },
  meridian: {
    color: '#0f261e',
    ink: '#cdf05a',
    serif: false,
    mark: '<path d="M48 12a36 36 0 1 0 .1 0Zm0 6c5 0 11 12 11 30S53 78 48 78 37 66 37 48s6-30 11-30ZM37 21c-4 7-6 16-6 27s2 20 6 27a30 30 0 0 1 0-54Zm22 0a30 30 0 0 1 0 54c4-7 6-16 6-27s-2-20-6-27Z"/>',
  },
  almanac: {
    color: '#4f5d2f',
    ink: '#f6f1dc',
    serif: true,
    mark: '<path d="M48 14c20 12 26 40 0 68-26-28-20-56 0-68Zm-2 18v42h4V32Z"/>',
  },
}

function markOf(acronym: string) {
  const mark = MARKS[acronym]
  if (!mark) throw new Error(`pictures/brand.ts has no mark for ${acronym}`)
  return mark
}

/** Mark and name side by side, 480 × 96. */
export function drawLogo(acronym: string, name: string): string {
  const { color, mark, serif } = markOf(acronym)
  const font = serif ? 'Georgia, "Times New Roman", serif' : '"Helvetica Neue", Arial, sans-serif'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 96" width="480" height="96" role="img"><title>${name}</title><g fill="${color}" fill-rule="evenodd">${mark}<text x="104" y="62" font-family='${font}' font-size="${name.length > 16 ? 34 : 42}" font-weight="700">${name}</text></g></svg>\n`
}

/** The mark alone on its colour; side in pixels. */
export function drawIcon(acronym: string, side: number): string {
  const { color, ink, mark } = markOf(acronym)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="${side}" height="${side}"><rect width="96" height="96" rx="18" fill="${color}"/><g fill="${ink}" fill-rule="evenodd" transform="translate(9.6 9.6) scale(.8)">${mark}</g></svg>`
}
