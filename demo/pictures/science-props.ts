import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import { circle, group, HEIGHT, line, n, path, rect, repeat, WIDTH } from './parts.ts'

export function peaks(
  random: Random,
  base: number,
  height: number,
  fill: string,
  snow: string,
): string {
  return (
    repeat(7, (index) => {
      const x = index * 250 + random.between(-60, 60)
      const top = base - height * (0.55 + 0.45 * random.next())
      const cap = (base - top) * 0.28
      return (
        path(`M${x - 230},${base + 60} L${x},${n(top)} L${x + 230},${base + 60} Z`, fill) +
        path(
          `M${x},${n(top)} l${n(cap * 0.9)},${n(cap)} l${n(-cap * 0.5)},${n(-cap * 0.25)} l${n(-cap * 0.4)},${n(cap * 0.35)} l${n(-cap * 0.5)},${n(-cap * 0.3)} l${n(-cap * 0.4)},${n(cap * 0.2)} Z`,
          snow,
        )
      )
    }) + rect(0, base + 50, WIDTH, HEIGHT - base, fill)
  )
}

export function pine(x: number, base: number, scale: number, color: string): string {
  return group(
    `translate(${n(x)},${n(base)}) scale(${n(scale)})`,
    rect(-8, -20, 16, 60, color),
    path('M0,-270 L52,-170 H26 L78,-84 H40 L96,0 H-96 L-40,-84 H-78 L-26,-170 H-52 Z', color),
  )
}

export function turbine(
  random: Random,
  x: number,
  base: number,
  scale: number,
  palette: Palette,
): string {
  const turn = random.between(0, 119)
  return group(
    `translate(${n(x)},${n(base)}) scale(${n(scale)})`,
    path('M-8,0 L-4,-250 h8 L8,0 Z', palette.light),
    repeat(3, (index) =>
      group(
        `translate(0,-250) rotate(${turn + index * 120})`,
        path('M-5,0 Q-13,-60 0,-150 Q9,-60 5,0 Z', palette.light),
      ),
    ),
    circle(0, -250, 9, palette.light),
  )
}

export function branch(
  random: Random,
  x: number,
  y: number,
  length: number,
  angle: number,
  depth: number,
  color: string,
): string {
  if (depth === 0) return circle(x, y, 9, color)
  const radians = (angle * Math.PI) / 180
  const [endX, endY] = [x + length * Math.cos(radians), y + length * Math.sin(radians)]
  const twigs = [-26, 24].map((turn) =>
    branch(
      random,
      endX,
      endY,
      length * (0.62 + 0.14 * random.next()),
      angle + turn + random.between(-9, 9),
      depth - 1,
      color,
    ),
  )
  return (
    line(
      [
        [x, y],
        [endX, endY],
      ],
      color,
      depth * 5,
    ) + twigs.join('')
  )
}
