import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import {
  circle,
  group,
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
import {
  containers,
  crane,
  ferryBoat,
  freighter,
  gulls,
  launch,
  lighthouse,
  quay,
  sailboat,
  swell,
} from './sea-props.ts'

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
  path('M0,700 C180,640 360,610 560,660 C720,700 790,800 1010,1000 L0,1000 Z', palette.near) +
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
