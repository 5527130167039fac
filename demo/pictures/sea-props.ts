import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import { group, HEIGHT, line, n, path, rect, repeat, WIDTH } from './parts.ts'

export function swell(
  random: Random,
  palette: Palette,
  y: number,
  height: number,
  fill: string,
): string {
  const shift = random.between(0, 260)
  const crests = repeat(8, (index) => {
    const x = index * 260 - shift
    return `C${x + 70},${y - height} ${x + 130},${y - height} ${x + 150},${y - height * 0.3} C${x + 170},${y + 14} ${x + 220},${y + 10} ${x + 260},${y} `
  })
  const foam = repeat(8, (index) => {
    const x = index * 260 - shift
    return line(
      [
        [x + 62, y - height * 0.72],
        [x + 104, y - height * 0.86],
        [x + 140, y - height * 0.56],
      ],
      palette.light,
      7,
      'opacity=".75"',
    )
  })
  return (
    path(`M${-shift},${y} ${crests} L${WIDTH + 260},${HEIGHT} L${-shift},${HEIGHT} Z`, fill) + foam
  )
}

export function crane(x: number, base: number, scale: number, color: string): string {
  const beam = (d: string, width: number) =>
    path(d, 'none', `stroke="${color}" stroke-width="${width}"`)
  return group(
    `translate(${n(x)},${n(base)}) scale(${scale})`,
    beam('M0,0 L26,-260 L52,0 M90,0 L64,-260', 12),
    beam('M8,-80 H82 M44,-262 L54,-360 L-150,-280 M54,-360 L220,-264', 7),
    beam('M-150,-280 L230,-262', 14),
    beam('M-90,-276 V-170', 3),
    rect(44, -280, 36, 44, color),
    rect(-112, -170, 44, 22, color),
  )
}

export function freighter(x: number, y: number, scale: number, palette: Palette): string {
  const boxes = [palette.accent, palette.light, palette.far, palette.middle]
  return group(
    `translate(${n(x)},${n(y)}) scale(${scale})`,
    path('M-40,0 h640 l-52,96 h-540 Z', palette.near),
    rect(-34, 58, 600, 8, palette.accent),
    repeat(24, (index) =>
      rect(
        110 + (index % 8) * 50,
        -34 - Math.floor(index / 8) * 34,
        47,
        31,
        boxes[(index * 7) % 4] ?? palette.far,
      ),
    ),
    rect(0, -150, 84, 150, palette.light),
    rect(-12, -176, 108, 30, palette.near),
    repeat(3, (index) => rect(12 + index * 24, -130, 14, 12, palette.near)),
    rect(30, -214, 26, 40, palette.accent),
  )
}

export function ferryBoat(x: number, y: number, scale: number, palette: Palette): string {
  return group(
    `translate(${n(x)},${n(y)}) scale(${scale})`,
    path('M-30,0 h520 l-46,64 h-440 Z', palette.near),
    rect(0, -52, 420, 54, palette.light),
    rect(30, -98, 330, 48, palette.light),
    rect(80, -134, 150, 38, palette.light),
    rect(290, -160, 44, 64, palette.accent),
    repeat(14, (index) => rect(18 + index * 28, -36, 16, 16, palette.middle)),
    repeat(10, (index) => rect(48 + index * 30, -84, 18, 14, palette.middle)),
    rect(-24, 26, 500, 6, palette.accent),
  )
}

export function launch(x: number, y: number, scale: number, palette: Palette): string {
  return group(
    `translate(${n(x)},${n(y)}) scale(${scale})`,
    path('M-20,0 h260 q-14,44 -44,50 h-170 q-34,-6 -46,-50 Z', palette.near),
    rect(50, -62, 96, 62, palette.light),
    rect(62, -50, 26, 24, palette.middle),
    rect(98, -50, 26, 24, palette.middle),
    line(
      [
        [100, -62],
        [100, -150],
      ],
      palette.near,
      5,
    ),
    path('M100,-148 l44,14 l-44,16 Z', palette.accent),
  )
}

export function sailboat(x: number, y: number, scale: number, palette: Palette): string {
  return group(
    `translate(${n(x)},${n(y)}) scale(${n(scale)})`,
    path('M-70,0 h150 q-18,32 -46,34 h-70 q-26,-4 -34,-34 Z', palette.near),
    path('M0,-6 V-210 q80,110 86,204 Z', palette.light),
    path('M-8,-6 V-176 q-56,90 -62,170 Z', palette.accent),
  )
}

export function lighthouse(x: number, base: number, scale: number, palette: Palette): string {
  return group(
    `translate(${n(x)},${n(base)}) scale(${scale})`,
    path('M-360,-330 L0,-296 L-360,-230 Z', palette.sun, 'opacity=".25"'),
    path('M420,-360 L0,-296 L420,-236 Z', palette.sun, 'opacity=".25"'),
    path('M-46,20 L-28,-262 h56 L46,20 Z', palette.light),
    path('M-41,-60 L-36,-130 h72 L41,-60 Z', palette.accent),
    path('M-32,-196 L-28,-262 h56 L32,-196 Z', palette.accent),
    rect(-40, -272, 80, 12, palette.near),
    rect(-22, -318, 44, 48, palette.sun),
    path('M-32,-316 Q0,-372 32,-316 Z', palette.near),
  )
}

export function quay(palette: Palette): string {
  return (
    rect(0, 880, WIDTH, 120, palette.near) +
    repeat(6, (index) => rect(120 + index * 280, 846, 34, 40, palette.near, 'rx="8"')) +
    rect(0, 880, WIDTH, 6, palette.light, 'opacity=".25"')
  )
}

export function containers(random: Random, palette: Palette): string {
  const colors = [palette.accent, palette.light, palette.far, palette.middle, palette.near]
  return repeat(48, (index) => {
    const row = Math.floor(index / 16)
    if (row === 2 && random.next() < 0.4) return ''
    const x = (index % 16) * 101 - 6
    const color = random.pick(colors)
    return (
      rect(x, 916 - row * 84, 98, 80, color) +
      repeat(5, (rib) =>
        rect(x + 12 + rib * 18, 924 - row * 84, 3, 64, palette.near, 'opacity=".18"'),
      )
    )
  })
}

export function gulls(random: Random, palette: Palette): string {
  return repeat(random.between(4, 9), () => {
    const x = random.next() * WIDTH
    const y = 80 + random.next() * 360
    const size = 10 + 18 * random.next()
    return path(
      `M${n(x - size)},${n(y)} q${n(size / 2)},${n(-size * 0.6)} ${n(size)},0 q${n(size / 2)},${n(-size * 0.6)} ${n(size)},0`,
      'none',
      `stroke="${palette.near}" stroke-width="4" stroke-linecap="round"`,
    )
  })
}
