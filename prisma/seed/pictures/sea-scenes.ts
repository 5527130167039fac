import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import {
  circle,
  group,
  HEIGHT,
  hills,
  line,
  n,
  path,
  rect,
  repeat,
  sky,
  skyline,
  WIDTH,
  water,
} from './parts.ts'

type Scene = (random: Random, palette: Palette) => string

export const harbour: Scene = (random, palette) =>
  sky(random, palette, 560) +
  skyline(random, palette, { base: 566, height: 190, fill: palette.far, gabled: true }) +
  water(random, palette, 560) +
  crane(random.between(60, 240), 590, 1.1, palette.middle) +
  crane(random.between(330, 470), 585, 0.85, palette.far) +
  freighter(random.between(560, 760), 690, 1.25, palette) +
  quay(palette)

export const cranes: Scene = (random, palette) =>
  sky(random, palette, 600) +
  hills(random, 610, 60, palette.far) +
  water(random, palette, 600) +
  repeat(4, (index) =>
    crane(
      80 + index * 360 + random.between(-40, 40),
      700,
      1.5,
      index % 2 ? palette.middle : palette.near,
    ),
  ) +
  containers(random, palette)

export const storm: Scene = (random, palette) =>
  sky(random, palette, 500) +
  repeat(46, () => {
    const x = random.next() * WIDTH
    const y = random.next() * 620
    return line(
      [
        [x, y],
        [x - 26, y + 90],
      ],
      palette.light,
      1.6,
      'opacity=".22"',
    )
  }) +
  lighthouse(random.between(980, 1320), 640, 1, palette) +
  repeat(5, (index) =>
    swell(
      random,
      palette,
      590 + index * 84,
      46 + index * 16,
      [palette.far, palette.middle, palette.near][index % 3] ?? palette.near,
    ),
  )

export const ferry: Scene = (random, palette) =>
  sky(random, palette, 560) +
  hills(random, 560, 190, palette.far) +
  hills(random, 566, 90, palette.middle, 1.6) +
  water(random, palette, 556) +
  ferryBoat(random.between(380, 620), 700, 1.5, palette) +
  gulls(random, palette)

export const estuary: Scene = (random, palette) =>
  sky(random, palette, 540) +
  hills(random, 550, 36, palette.far) +
  water(random, palette, 540) +
  repeat(7, (index) => {
    const y = 600 + index * 58
    return `<ellipse cx="${n(random.next() * WIDTH)}" cy="${y}" rx="${random.between(180, 460)}" ry="${6 + index * 3}" fill="${palette.middle}" opacity=".55"/>`
  }) +
  launch(random.between(620, 900), 690, 1.2, palette) +
  gulls(random, palette)

export const seawall: Scene = (random, palette) =>
  sky(random, palette, 520) +
  water(random, palette, 520) +
  repeat(7, (index) => {
    const y = 640 + index * 54
    return path(
      `M0,${y} L${980 + index * 90},${y} L${1010 + index * 90},${y + 54} L0,${y + 54} Z`,
      index % 2 ? palette.middle : palette.near,
    )
  }) +
  repeat(9, (index) =>
    line(
      [
        [60 + index * 110, 540],
        [60 + index * 110, 642],
      ],
      palette.near,
      8,
    ),
  ) +
  line(
    [
      [0, 556],
      [990, 556],
    ],
    palette.near,
    8,
  ) +
  line(
    [
      [0, 596],
      [990, 596],
    ],
    palette.near,
    5,
  )

export const bottle: Scene = (random, palette) =>
  sky(random, palette, 420) +
  water(random, palette, 420) +
  path(`M0,720 C300,640 700,690 1000,650 S1500,640 1600,610 L1600,1000 L0,1000 Z`, '#e3c79b') +
  path(
    `M0,720 C300,640 700,690 1000,650 S1500,640 1600,610 L1600,632 C1480,664 1200,650 1000,676 S300,670 0,752 Z`,
    palette.light,
    'opacity=".7"',
  ) +
  repeat(120, () =>
    circle(
      random.next() * WIDTH,
      740 + random.next() * 260,
      1 + 2 * random.next(),
      '#a98a5b',
      'opacity=".5"',
    ),
  ) +
  group(
    `translate(${random.between(640, 820)},800) rotate(-16)`,
    '<ellipse cx="190" cy="74" rx="250" ry="24" fill="#8a6d43" opacity=".35"/>',
    '<path d="M0,0 h230 c34,0 40,22 70,24 h84 v32 h-84 c-30,2 -36,24 -70,24 H0 c-22,0 -28,-12 -28,-40 S-22,0 0,0 Z" fill="#6fae8f" opacity=".75"/>',
    '<rect x="40" y="22" width="150" height="36" rx="16" fill="#fff6df"/>',
    '<rect x="380" y="20" width="34" height="40" rx="6" fill="#b07f4f"/>',
    '<path d="M4,12 h210" stroke="#fff" stroke-width="6" opacity=".5" stroke-linecap="round"/>',
  )

export const sails: Scene = (random, palette) =>
  sky(random, palette, 600) +
  water(random, palette, 600) +
  repeat(random.between(2, 4), (index) =>
    sailboat(
      160 + index * 420 + random.between(-60, 60),
      640 + index * 26,
      0.7 + index * 0.2,
      palette,
    ),
  ) +
  group(
    'translate(820,560)',
    path('M-120,150 h620 l-60,78 h-500 Z', palette.near),
    path(
      'M40,150 C60,-60 60,-220 40,-380 C170,-260 200,-20 180,150 Z',
      palette.light,
      'opacity=".95"',
    ),
    path(
      'M260,150 C280,-40 280,-180 260,-330 C390,-220 420,-10 400,150 Z',
      palette.light,
      'opacity=".85"',
    ),
    rect(420, 96, 60, 56, palette.accent),
  )

export const lighthouseScene: Scene = (random, palette) =>
  sky(random, palette, 640) +
  water(random, palette, 640) +
  path(
    'M0,700 C180,640 360,610 560,660 C720,700 760,760 900,790 L900,1000 L0,1000 Z',
    palette.near,
  ) +
  lighthouse(random.between(300, 460), 660, 1.4, palette) +
  sailboat(random.between(1040, 1340), 720, 0.9, palette) +
  gulls(random, palette)

export const beach: Scene = (random, palette) =>
  sky(random, palette, 460) +
  water(random, palette, 460) +
  path('M0,800 C400,700 900,760 1600,640 L1600,1000 L0,1000 Z', '#e6cfa6') +
  repeat(6, (index) => {
    const x = 160 + index * 230 + random.between(-40, 40)
    const y = 830 - index * 18
    return (
      circle(x, y - 74, 17, palette.near) +
      path(
        `M${x - 16},${y - 54} q16,-14 32,0 l6,60 h-44 Z`,
        index % 2 ? palette.accent : palette.middle,
      ) +
      rect(x - 11, y, 9, 44, palette.near) +
      rect(x + 3, y, 9, 44, palette.near)
    )
  })

function swell(random: Random, palette: Palette, y: number, height: number, fill: string): string {
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

function crane(x: number, base: number, scale: number, color: string): string {
  return group(
    `translate(${n(x)},${n(base)}) scale(${scale})`,
    line(
      [
        [0, 0],
        [26, -260],
        [52, 0],
      ],
      color,
      12,
    ),
    line(
      [
        [90, 0],
        [64, -260],
      ],
      color,
      12,
    ),
    line(
      [
        [8, -80],
        [82, -80],
      ],
      color,
      8,
    ),
    line(
      [
        [-150, -280],
        [230, -262],
      ],
      color,
      14,
    ),
    line(
      [
        [44, -262],
        [54, -360],
        [-150, -280],
      ],
      color,
      7,
    ),
    line(
      [
        [54, -360],
        [220, -264],
      ],
      color,
      6,
    ),
    rect(44, -280, 36, 44, color),
    line(
      [
        [-90, -276],
        [-90, -170],
      ],
      color,
      3,
    ),
    rect(-112, -170, 44, 22, color),
  )
}

function freighter(x: number, y: number, scale: number, palette: Palette): string {
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

function ferryBoat(x: number, y: number, scale: number, palette: Palette): string {
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

function launch(x: number, y: number, scale: number, palette: Palette): string {
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

function sailboat(x: number, y: number, scale: number, palette: Palette): string {
  return group(
    `translate(${n(x)},${n(y)}) scale(${n(scale)})`,
    path('M-70,0 h150 q-18,32 -46,34 h-70 q-26,-4 -34,-34 Z', palette.near),
    path('M0,-6 V-210 q80,110 86,204 Z', palette.light),
    path('M-8,-6 V-176 q-56,90 -62,170 Z', palette.accent),
  )
}

function lighthouse(x: number, base: number, scale: number, palette: Palette): string {
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

function quay(palette: Palette): string {
  return (
    rect(0, 880, WIDTH, 120, palette.near) +
    repeat(6, (index) => rect(120 + index * 280, 846, 34, 40, palette.near, 'rx="8"')) +
    rect(0, 880, WIDTH, 6, palette.light, 'opacity=".25"')
  )
}

function containers(random: Random, palette: Palette): string {
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

function gulls(random: Random, palette: Palette): string {
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
