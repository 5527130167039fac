import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import { circle, group, line, n, path, rect, repeat } from './parts.ts'

export function tramCar(x: number, y: number, scale: number, palette: Palette): string {
  const car = (offset: number) =>
    group(
      `translate(${offset},0)`,
      rect(0, 0, 340, 170, palette.accent, 'rx="26"'),
      rect(0, 104, 340, 14, palette.light),
      repeat(4, (index) => rect(26 + index * 76, 28, 60, 60, palette.light, 'rx="8"')),
      circle(80, 178, 20, palette.near),
      circle(260, 178, 20, palette.near),
    )
  return group(
    `translate(${x},${y}) scale(${scale})`,
    line(
      [
        [150, 0],
        [190, -60],
        [240, -118],
      ],
      palette.near,
      6,
    ),
    car(0),
    car(352),
  )
}

export function shopfront(x: number, y: number, palette: Palette): string {
  return (
    rect(x, y, 360, 236, palette.near) +
    rect(x + 22, y + 50, 210, 150, palette.light) +
    rect(x + 254, y + 50, 84, 186, palette.light, 'opacity=".85"') +
    repeat(9, (index) =>
      path(
        `M${x + index * 40},${y - 6} h40 v44 q-20,22 -40,0 Z`,
        index % 2 ? palette.accent : palette.light,
      ),
    ) +
    repeat(
      5,
      (index) =>
        `<ellipse cx="${x + 56 + index * 36}" cy="${y + 178}" rx="20" ry="13" fill="#a9672f"/>`,
    ) +
    path(
      `M${x - 60},${y + 380} L${x + 22},${y + 236} h320 L${x + 430},${y + 380} Z`,
      palette.light,
      'opacity=".18"',
    )
  )
}

export function lamp(x: number, base: number, palette: Palette): string {
  return (
    circle(x, base - 330, 130, palette.light, 'opacity=".14"') +
    line(
      [
        [x, base],
        [x, base - 310],
      ],
      palette.near,
      10,
    ) +
    circle(x, base - 326, 24, palette.light)
  )
}

export function floodlight(x: number, palette: Palette): string {
  const lamps = repeat(12, (index) =>
    circle(x - 45 + (index % 4) * 30, 96 + Math.floor(index / 4) * 30, 11, '#fffdf0'),
  )
  return (
    circle(x, 126, 260, palette.light, 'opacity=".16"') +
    line(
      [
        [x, 560],
        [x, 150],
      ],
      palette.near,
      12,
    ) +
    rect(x - 66, 74, 132, 104, palette.near) +
    lamps
  )
}

export function stall(random: Random, x: number, y: number, palette: Palette): string {
  const goods = ['#d94f30', '#f0b13c', '#7aa84f', '#9db8c6', '#e7d6b8']
  return (
    line(
      [
        [x + 20, y],
        [x + 20, y + 420],
      ],
      palette.near,
      10,
    ) +
    line(
      [
        [x + 340, y],
        [x + 340, y + 420],
      ],
      palette.near,
      10,
    ) +
    repeat(9, (index) =>
      path(
        `M${x + index * 40},${y - 90} h40 v96 q-20,30 -40,0 Z`,
        index % 2 ? palette.accent : palette.light,
      ),
    ) +
    rect(x, y + 240, 360, 170, palette.near) +
    repeat(4, (crate) => {
      const color = random.pick(goods)
      return (
        rect(x + 10 + crate * 86, y + 200, 80, 52, '#8b6a43') +
        repeat(14, (index) =>
          circle(
            x + 24 + crate * 86 + (index % 5) * 13,
            y + 200 - Math.floor(index / 5) * 10,
            9,
            color,
          ),
        )
      )
    })
  )
}

export function figure(x: number, y: number, scale: number, color: string): string {
  return group(
    `translate(${n(x)},${n(y)}) scale(${scale})`,
    circle(0, -132, 20, color),
    path(
      'M-24,-104 q24,-16 48,0 l10,64 h-16 l-4,62 h-12 l-4,-46 l-4,46 h-12 l-4,-62 h-14 Z',
      color,
    ),
  )
}

export function pot(x: number, y: number, scale: number, palette: Palette): string {
  return group(
    `translate(${x},${y}) scale(${scale})`,
    rect(-30, -150, 240, 150, palette.accent, 'rx="18"'),
    rect(-44, -164, 268, 20, palette.near, 'rx="10"'),
    rect(-74, -118, 46, 20, palette.near, 'rx="10"'),
    rect(208, -118, 46, 20, palette.near, 'rx="10"'),
  )
}

export function bread(x: number, y: number, palette: Palette): string {
  const loaf = (dx: number, dy: number) =>
    `<ellipse cx="${x + dx}" cy="${y + dy}" rx="136" ry="70" fill="#b87333"/>${repeat(3, (index) => path(`M${x + dx - 72 + index * 58},${y + dy - 30} q20,26 10,58`, 'none', 'stroke="#f0d3a4" stroke-width="10" stroke-linecap="round"'))}`
  return rect(x - 190, y + 60, 560, 26, palette.near, 'rx="12"') + loaf(0, 0) + loaf(190, 12)
}

export function jar(x: number, base: number, random: Random, palette: Palette): string {
  const color = random.pick([palette.accent, palette.far, palette.sky[0], '#c9a23a'])
  return (
    rect(x, base - 132, 76, 132, palette.light, 'rx="12"') +
    rect(x + 8, base - 96, 60, 88, color, 'rx="8"') +
    rect(x + 6, base - 148, 64, 20, palette.near, 'rx="5"')
  )
}
