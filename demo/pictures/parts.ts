import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'

export const WIDTH = 1600
export const HEIGHT = 1000

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more = '',
) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`

export const circle = (x: number, y: number, radius: number, fill: string, more = '') =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = '') =>
  `<path d="${d}" fill="${fill}" ${more}/>`

export const line = (
  points: readonly (readonly [number, number])[],
  color: string,
  width: number,
  more = '',
) =>
  `<polyline points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`

export const group = (transform: string, ...content: string[]) =>
  `<g transform="${transform}">${content.join('')}</g>`

/** Calls a function for 0 to count − 1 and joins what it draws. */
export const repeat = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

export const n = (value: number) => Math.round(value * 10) / 10

export function gradient(id: string, colors: readonly string[], vertical = true): string {
  const stops = colors.map(
    (color, index) => `<stop offset="${index / (colors.length - 1)}" stop-color="${color}"/>`,
  )
  const end = vertical ? 'x2="0" y2="1"' : 'x2="1" y2="0"'
  return `<linearGradient id="${id}" x1="0" y1="0" ${end}>${stops.join('')}</linearGradient>`
}

export function glow(id: string, color: string): string {
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity=".85"/><stop offset=".35" stop-color="${color}" stop-opacity=".3"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`
}

/** Sky over the whole picture, with a sun or moon, and stars or clouds. */
export function sky(random: Random, palette: Palette, horizon = 640): string {
  const x = random.between(260, 1340)
  const y = random.between(Math.round(horizon * 0.25), Math.round(horizon * 0.8))
  return [
    `<defs>${gradient('sky', palette.sky)}${glow('glow', palette.sun)}</defs>`,
    rect(0, 0, WIDTH, HEIGHT, 'url(#sky)'),
    palette.isNight ? stars(random, horizon) : '',
    circle(x, y, 420, 'url(#glow)'),
    circle(x, y, random.between(38, 74), palette.sun),
    palette.isNight ? '' : clouds(random, palette, horizon),
  ].join('')
}

export function stars(random: Random, bottom: number): string {
  return repeat(140, () =>
    circle(
      random.next() * WIDTH,
      random.next() * bottom,
      0.8 + 1.8 * random.next() ** 3,
      '#fff',
      `opacity="${n(0.3 + 0.7 * random.next())}"`,
    ),
  )
}

function clouds(random: Random, { light }: Palette, bottom: number): string {
  return repeat(random.between(3, 6), () => {
    const x = random.next() * WIDTH
    const y = 60 + random.next() * bottom * 0.55
    const puffs = repeat(random.between(4, 7), (index) => {
      const width = 90 + 170 * random.next()
      return `<ellipse cx="${n(x + index * 74 - 150)}" cy="${n(y + 18 * random.next())}" rx="${n(width)}" ry="${n(10 + 16 * random.next())}"/>`
    })
    return `<g fill="${light}" opacity="${n(0.12 + 0.22 * random.next())}">${puffs}</g>`
  })
}

/** A ridge from the left edge to the right one, filled down to the bottom. */
export function hills(
  random: Random,
  y: number,
  height: number,
  fill: string,
  roughness = 1,
): string {
  const phases = [random.next() * 9, random.next() * 9, random.next() * 9]
  const points = Array.from({ length: 81 }, (_, index) => {
    const x = (index * WIDTH) / 80
    const waves = phases.map((phase, octave) => {
      const frequency = 0.0028 * 2.3 ** octave * roughness
      return Math.sin(x * frequency + phase) / 1.9 ** octave
    })
    return `${n(x)},${n(y - (height * (waves.reduce((sum, wave) => sum + wave, 0) + 1.4)) / 3)}`
  })
  return path(`M0,${HEIGHT} L${points.join(' L')} L${WIDTH},${HEIGHT} Z`, fill)
}

/** Water from a line downwards, with glints that grow nearer the front. */
export function water(random: Random, palette: Palette, y: number): string {
  const glints = repeat(70, () => {
    const depth = random.next() ** 1.6
    const top = y + 8 + depth * (HEIGHT - y)
    const length = 30 + 200 * depth * random.next() + 20
    const x = random.next() * WIDTH
    return line(
      [
        [x, top],
        [x + length, top],
      ],
      palette.light,
      n(1 + 3.5 * depth),
      `opacity="${n(0.1 + 0.25 * random.next())}"`,
    )
  })
  return `<defs>${gradient('water', [palette.sky[2], palette.far, palette.middle, palette.near])}</defs>${rect(0, y, WIDTH, HEIGHT - y, 'url(#water)')}${glints}`
}

/** Houses or towers on a base line, some windows lit. */
export function skyline(
  random: Random,
  palette: Palette,
  {
    base,
    height,
    fill,
    gabled = false,
  }: { base: number; height: number; fill: string; gabled?: boolean },
): string {
  const parts: string[] = []
  for (let x = -20; x < WIDTH; ) {
    const width = random.between(56, 128)
    const tall = height * (0.45 + 0.55 * random.next())
    const top = base - tall
    parts.push(rect(x, top, width + 1, tall + 4, fill))
    if (gabled)
      parts.push(
        path(
          `M${x},${n(top)} l${width / 2},${-width * 0.55} l${width / 2},${width * 0.55} Z`,
          fill,
        ),
      )
    parts.push(windows(random, palette, x, top, width, tall))
    x += width
  }
  return parts.join('')
}

function windows(
  random: Random,
  { light, isNight }: Palette,
  x: number,
  top: number,
  width: number,
  tall: number,
): string {
  const columns = Math.floor(width / 26)
  const gap = width / columns
  const lit = isNight ? 0.45 : 0.25
  return repeat(columns * Math.floor(tall / 38), (index) => {
    if (random.next() > lit) return ''
    const left = x + (index % columns) * gap + gap / 2 - 5
    return rect(left, top + 16 + Math.floor(index / columns) * 38, 10, 16, light, 'opacity=".75"')
  })
}
