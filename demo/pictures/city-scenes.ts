import type { Random } from '../random.ts'
import {
  bread,
  figure,
  floodlight,
  jar,
  lamp,
  pot,
  shopfront,
  stall,
  tramCar,
} from './city-props.ts'
import type { Palette } from './palettes.ts'
import {
  circle,
  group,
  HEIGHT,
  hills,
  line,
  path,
  rect,
  repeat,
  sky,
  skyline,
  WIDTH,
} from './parts.ts'

type Scene = (random: Random, palette: Palette) => string

export const tram: Scene = (random, palette) =>
  sky(random, palette, 620) +
  skyline(random, palette, { base: 760, height: 330, fill: palette.far, gabled: true }) +
  skyline(random, palette, { base: 770, height: 210, fill: palette.middle, gabled: true }) +
  rect(0, 766, WIDTH, 234, palette.near) +
  line(
    [
      [0, 898],
      [WIDTH, 898],
    ],
    palette.light,
    4,
    'opacity=".4"',
  ) +
  line(
    [
      [0, 944],
      [WIDTH, 944],
    ],
    palette.light,
    4,
    'opacity=".4"',
  ) +
  line(
    [
      [0, 470],
      [WIDTH, 458],
    ],
    palette.near,
    4,
  ) +
  tramCar(random.between(240, 520), 640, 1.25, palette)

export const street: Scene = (random, palette) =>
  sky(random, palette, 420) +
  repeat(9, (index) => {
    const x = index * 190 - 60
    const top = 190 + random.between(0, 170)
    const fill = index % 2 ? palette.middle : palette.far
    return (
      path(`M${x},${top} l95,-96 l95,96 V860 H${x} Z`, fill) +
      repeat(8, (pane) => {
        const lit = random.next() < 0.4
        return rect(
          x + 32 + (pane % 2) * 80,
          top + 40 + Math.floor(pane / 2) * 112,
          46,
          66,
          lit ? palette.light : palette.near,
          `rx="3" opacity="${lit ? 0.9 : 0.45}"`,
        )
      })
    )
  }) +
  rect(0, 850, WIDTH, 150, palette.near) +
  shopfront(random.between(480, 820), 620, palette) +
  lamp(random.between(160, 300), 860, palette) +
  lamp(random.between(1260, 1420), 860, palette)

export const stadium: Scene = (random, palette) =>
  sky(random, palette, 520) +
  path('M0,560 C400,430 1200,430 1600,560 V760 H0 Z', palette.middle) +
  repeat(900, () => {
    const x = random.next() * WIDTH
    const dip = 95 * Math.sin((x / WIDTH) * Math.PI)
    const y = 590 - dip + random.next() * (160 + dip)
    return circle(
      x,
      y,
      4.4,
      random.pick([palette.light, palette.accent, palette.far, palette.near]),
      'opacity=".75"',
    )
  }) +
  path(`M0,750 H${WIDTH} V${HEIGHT} H0 Z`, '#3f7d4a') +
  repeat(6, (index) =>
    path(
      `M${index * 300 - 120},${HEIGHT} L${index * 260 + 60},750 h130 L${index * 300 + 40},${HEIGHT} Z`,
      '#478b53',
    ),
  ) +
  line(
    [
      [0, 780],
      [WIDTH, 780],
    ],
    '#fff',
    5,
    'opacity=".8"',
  ) +
  `<ellipse cx="800" cy="900" rx="300" ry="70" fill="none" stroke="#fff" stroke-width="5" opacity=".8"/>` +
  [180, 1420].map((x) => floodlight(x, palette)).join('')

export const market: Scene = (random, palette) =>
  sky(random, palette, 380) +
  skyline(random, palette, { base: 520, height: 300, fill: palette.far, gabled: true }) +
  rect(0, 516, WIDTH, 484, palette.middle) +
  repeat(4, (index) => stall(random, 30 + index * 400, 430 + (index % 2) * 40, palette))

export const theatre: Scene = (random, palette) =>
  rect(0, 0, WIDTH, HEIGHT, palette.near) +
  path('M620,0 L980,0 L1240,860 H360 Z', palette.light, 'opacity=".2"') +
  path('M700,0 L900,0 L1060,860 H540 Z', palette.light, 'opacity=".25"') +
  repeat(9, (index) => {
    const x = index * 62
    return path(
      `M${x},0 h62 C${x + 70},400 ${x + 20},700 ${x - 30},900 h-62 C${x - 30},700 ${x + 6},400 ${x},0 Z`,
      index % 2 ? '#8c2530' : '#a8323c',
    )
  }) +
  repeat(9, (index) => {
    const x = WIDTH - index * 62
    return path(
      `M${x},0 h-62 C${x - 70},400 ${x - 20},700 ${x + 30},900 h62 C${x + 30},700 ${x - 6},400 ${x},0 Z`,
      index % 2 ? '#8c2530' : '#a8323c',
    )
  }) +
  `<ellipse cx="800" cy="850" rx="420" ry="56" fill="${palette.light}" opacity=".55"/>` +
  figure(760, 820, 1.5, palette.near) +
  (random.next() < 0.6 ? figure(900, 826, 1.35, palette.near) : '') +
  rect(0, 880, WIDTH, 120, '#1a1014') +
  repeat(16, (index) => circle(50 + index * 100, 984, 52, '#0b0709'))

export const skylineScene: Scene = (random, palette) =>
  sky(random, palette, 620) +
  skyline(random, palette, { base: 840, height: 560, fill: palette.far }) +
  skyline(random, palette, { base: 900, height: 400, fill: palette.middle }) +
  skyline(random, palette, { base: 1000, height: 260, fill: palette.near })

export const kitchen: Scene = (random, palette) =>
  rect(0, 0, WIDTH, HEIGHT, palette.sky[2]) +
  repeat(48, (index) =>
    rect(
      (index % 12) * 136 - 10,
      Math.floor(index / 12) * 136 - 30,
      128,
      128,
      palette.light,
      'opacity=".35" rx="4"',
    ),
  ) +
  rect(0, 560, WIDTH, 440, palette.middle) +
  rect(0, 560, WIDTH, 26, palette.near) +
  pot(280, 560, 1.2, palette) +
  bread(random.between(640, 760), 720, palette) +
  repeat(5, (index) => jar(1030 + index * 104, 556, random, palette)) +
  repeat(3, (index) =>
    path(
      `M${330 + index * 50},300 q-26,-50 0,-96 t0,-96`,
      'none',
      `stroke="${palette.light}" stroke-width="12" stroke-linecap="round" opacity=".7"`,
    ),
  )

export const workshop: Scene = (random, palette) =>
  rect(0, 0, WIDTH, HEIGHT, palette.middle) +
  path('M0,0 H1600 V240 L1240,330 H360 L0,240 Z', palette.near) +
  repeat(
    5,
    (index) =>
      rect(380 + index * 172, 380, 140, 250, palette.sky[2]) +
      rect(446 + index * 172, 380, 8, 250, palette.near),
  ) +
  path('M0,760 H1600 V1000 H0 Z', palette.near) +
  path('M180,760 C500,560 900,900 1420,700 L1500,860 C1000,1000 520,760 200,900 Z', palette.light) +
  path(
    'M180,760 C500,560 900,900 1420,700',
    'none',
    `stroke="${palette.accent}" stroke-width="8" stroke-dasharray="26 16"`,
  ) +
  repeat(9, (index) =>
    line(
      [
        [90 + index * 36, 300],
        [90 + index * 36, 380 + random.between(20, 150)],
      ],
      palette.light,
      random.between(5, 12),
      'opacity=".6"',
    ),
  ) +
  figure(330, 770, 1.5, palette.far)

export const train: Scene = (random, palette) =>
  sky(random, palette, 560) +
  hills(random, 620, 220, palette.far) +
  hills(random, 700, 120, palette.middle, 1.5) +
  rect(0, 800, WIDTH, 200, palette.near) +
  repeat(5, (index) =>
    group(
      `translate(${-120 + index * 360},660)`,
      rect(0, 0, 346, 120, palette.accent, 'rx="16"'),
      rect(0, 84, 346, 14, palette.light),
      repeat(5, (pane) => rect(26 + pane * 62, 22, 44, 44, palette.light, 'rx="6"')),
      circle(70, 126, 20, palette.near),
      circle(276, 126, 20, palette.near),
    ),
  ) +
  line(
    [
      [0, 808],
      [WIDTH, 808],
    ],
    palette.light,
    5,
    'opacity=".5"',
  )

export const books: Scene = (random, palette) => {
  const colors = [
    palette.accent,
    palette.light,
    palette.far,
    palette.middle,
    palette.sky[0],
    palette.sky[1],
  ]
  return (
    rect(0, 0, WIDTH, HEIGHT, palette.near) +
    repeat(3, (shelf) => {
      const base = 310 + shelf * 330
      const row: string[] = []
      for (let x = 30; x < WIDTH - 60; ) {
        const width = random.between(26, 70)
        const tall = random.between(170, 262)
        const lean = random.next() < 0.06 ? 9 : 0
        row.push(
          group(
            `translate(${x},${base}) rotate(${lean})`,
            rect(0, -tall, width, tall, random.pick(colors), 'rx="3"'),
            rect(6, -tall + 26, width - 12, 7, palette.near, 'opacity=".35"'),
            rect(6, -44, width - 12, 5, palette.near, 'opacity=".35"'),
          ),
        )
        x += width + 3 + lean * 6
      }
      return `${row.join('')}${rect(0, base, WIDTH, 22, palette.middle)}`
    })
  )
}
