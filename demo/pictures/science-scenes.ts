import type { Random } from '../random.ts'
import type { Palette } from './palettes.ts'
import {
  circle,
  glow,
  gradient,
  group,
  HEIGHT,
  hills,
  line,
  n,
  path,
  rect,
  repeat,
  sky,
  stars,
  WIDTH,
  water,
} from './parts.ts'
import { branch, peaks, pine, turbine } from './science-props.ts'

type Scene = (random: Random, palette: Palette) => string

export const ice: Scene = (random, palette) =>
  sky(random, palette, 480) +
  peaks(random, 560, 330, palette.far, palette.light) +
  peaks(random, 690, 250, palette.middle, palette.light) +
  path('M0,700 C400,610 620,720 900,650 S1400,600 1600,680 V1000 H0 Z', '#dfeff3') +
  repeat(11, (index) =>
    path(
      `M${index * 160 - 60},${760 + index * 6} q120,40 260,-10`,
      'none',
      `stroke="#8fc1d4" stroke-width="${random.between(4, 14)}" opacity=".7" stroke-linecap="round"`,
    ),
  )

export const forest: Scene = (random, palette) =>
  sky(random, palette, 520) +
  hills(random, 600, 160, palette.far) +
  [0, 1, 2]
    .map((row) =>
      repeat(16 + row * 2, () =>
        pine(
          random.next() * WIDTH,
          700 + row * 130,
          (0.7 + row * 0.45) * (0.7 + 0.6 * random.next()),
          [palette.far, palette.middle, palette.near][row] ?? palette.near,
        ),
      ),
    )
    .join('') +
  rect(0, 940, WIDTH, 60, palette.near)

export const field: Scene = (random, palette) =>
  sky(random, palette, 500) +
  hills(random, 560, 120, palette.far) +
  rect(0, 540, WIDTH, 460, palette.middle) +
  repeat(15, (index) =>
    path(
      `M${800 + (index - 7) * 34},540 L${800 + (index - 7) * 300 - 50},${HEIGHT} h100 L${800 + (index - 7) * 34 + 12},540 Z`,
      index % 2 ? palette.near : '#7f9a4b',
      'opacity=".8"',
    ),
  ) +
  pine(random.between(140, 420), 560, 0.8, palette.near)

export const turbines: Scene = (random, palette) =>
  sky(random, palette, 620) +
  hills(random, 720, 200, palette.far) +
  repeat(6, (index) =>
    turbine(
      random,
      130 + index * 270 + random.between(-60, 60),
      720 - random.between(0, 40),
      0.6 + 0.18 * (index % 3),
      palette,
    ),
  ) +
  hills(random, 830, 150, palette.middle, 1.4) +
  turbine(random, random.between(360, 1200), 880, 1.7, palette) +
  hills(random, 950, 110, palette.near, 1.2)

export const planet: Scene = (random, palette) => {
  const [x, y, radius] = [
    random.between(900, 1150),
    random.between(430, 580),
    random.between(250, 350),
  ]
  return (
    `<defs>${gradient('deep', ['#04060f', palette.sky[0], '#0a1024'])}${gradient('disc', [palette.sun, palette.accent, palette.near], false)}${glow('glow', palette.accent)}<clipPath id="c"><circle cx="${x}" cy="${y}" r="${radius}"/></clipPath></defs>` +
    rect(0, 0, WIDTH, HEIGHT, 'url(#deep)') +
    stars(random, HEIGHT) +
    circle(x, y, radius * 1.7, 'url(#glow)') +
    circle(x, y, radius, 'url(#disc)') +
    `<g clip-path="url(#c)">${repeat(9, (index) => `<ellipse cx="${x}" cy="${y - radius + index * radius * 0.24 + 20}" rx="${radius * 1.2}" ry="${random.between(8, 34)}" fill="${index % 2 ? palette.light : palette.near}" opacity=".22"/>`)}</g>` +
    `<ellipse cx="${x}" cy="${y}" rx="${radius * 1.75}" ry="${radius * 0.3}" fill="none" stroke="${palette.light}" stroke-width="14" opacity=".5" transform="rotate(-18 ${x} ${y})"/>` +
    circle(
      random.between(180, 480),
      random.between(180, 780),
      random.between(26, 60),
      palette.light,
    )
  )
}

export const telescope: Scene = (random, palette) =>
  sky(random, { ...palette, isNight: true }, 700) +
  path(
    `M-100,120 C400,60 900,500 1700,380 L1700,520 C900,660 420,240 -100,300 Z`,
    palette.light,
    'opacity=".1"',
  ) +
  hills(random, 820, 150, palette.middle) +
  group(
    'translate(560,480)',
    path('M0,360 V180 A230,230 0 0 1 460,180 V360 Z', palette.light),
    path('M200,-48 L300,-44 L330,150 L180,150 Z', palette.near),
    path('M214,-40 L120,-180 l70,-44 L290,-36 Z', palette.accent),
    rect(-30, 350, 520, 60, palette.far),
    rect(200, 260, 66, 92, palette.near),
  ) +
  hills(random, 960, 110, palette.near, 1.5)

export const cells: Scene = (random, palette) =>
  `<defs>${gradient('ground', palette.sky)}</defs>` +
  rect(0, 0, WIDTH, HEIGHT, 'url(#ground)') +
  repeat(44, () => {
    const [x, y, radius] = [random.next() * WIDTH, random.next() * HEIGHT, 34 + 110 * random.next()]
    const color = random.pick([palette.accent, palette.light, palette.far, palette.middle])
    return (
      circle(x, y, radius, color, `opacity=".38" stroke="${palette.light}" stroke-width="5"`) +
      circle(x + radius * 0.2, y - radius * 0.1, radius * 0.34, palette.near, 'opacity=".6"') +
      repeat(6, () =>
        circle(
          x + radius * (random.next() - 0.5),
          y + radius * (random.next() - 0.5),
          5,
          palette.light,
          'opacity=".7"',
        ),
      )
    )
  })

export const coral: Scene = (random, palette) =>
  `<defs>${gradient('deep', ['#7fd0d8', '#1f7d9c', '#0c3558'])}</defs>` +
  rect(0, 0, WIDTH, HEIGHT, 'url(#deep)') +
  repeat(7, (index) =>
    path(
      `M${index * 250 - 100},0 h120 L${index * 250 + 260},${HEIGHT} h-260 Z`,
      '#fff',
      'opacity=".05"',
    ),
  ) +
  hills(random, 960, 160, '#12405f') +
  repeat(15, (index) =>
    branch(
      random,
      index * 116 + random.between(-30, 30),
      1000,
      random.between(120, 210),
      -90,
      5,
      random.pick([palette.accent, '#f2a1a1', '#f4c95d', '#b28dd6']),
    ),
  ) +
  repeat(18, () => {
    const [x, y, size] = [random.next() * WIDTH, 120 + random.next() * 520, 0.5 + random.next()]
    return group(
      `translate(${n(x)},${n(y)}) scale(${n(size)})`,
      `<ellipse rx="34" ry="15" fill="${palette.light}"/>`,
      path('M-30,0 l-26,-16 v32 Z', palette.light),
      circle(20, -4, 3.5, '#12304a'),
    )
  })

export const circuit: Scene = (random, palette) =>
  rect(0, 0, WIDTH, HEIGHT, palette.near) +
  repeat(70, () => {
    const x = random.between(0, 40) * 40
    const y = random.between(0, 25) * 40
    const [dx, dy] = [random.between(2, 9) * 40, random.between(1, 5) * 40]
    const bend = random.next() < 0.5 ? 1 : -1
    const color = random.pick([palette.accent, palette.light, palette.far])
    return (
      line(
        [
          [x, y],
          [x + dx, y],
          [x + dx + dy, y + dy * bend],
        ],
        color,
        5,
        'opacity=".5"',
      ) +
      circle(x, y, 9, color) +
      circle(x + dx + dy, y + dy * bend, 9, color)
    )
  }) +
  rect(580, 310, 440, 380, palette.middle, `rx="22" stroke="${palette.light}" stroke-width="6"`) +
  repeat(
    9,
    (index) =>
      rect(620 + index * 42, 276, 20, 34, palette.light) +
      rect(620 + index * 42, 690, 20, 34, palette.light),
  ) +
  repeat(36, (index) =>
    rect(
      650 + (index % 6) * 54,
      380 + Math.floor(index / 6) * 42,
      40,
      28,
      random.pick([palette.accent, palette.far, palette.light]),
      'opacity=".75" rx="4"',
    ),
  )

export const waves: Scene = (random, palette) =>
  `<defs>${gradient('ground', palette.sky)}</defs>` +
  rect(0, 0, WIDTH, HEIGHT, 'url(#ground)') +
  repeat(46, (index) => {
    const phase = random.next() * 0.6
    const points = Array.from({ length: 81 }, (_, step) => {
      const x = step * 20
      const bump =
        190 *
        Math.exp(-(((x - 800) / 330) ** 2)) *
        (0.4 + 0.6 * Math.abs(Math.sin(x / 57 + index + phase)))
      return [x, 200 + index * 17 - bump] as const
    })
    return line(points, index % 5 ? palette.light : palette.accent, 2.6, 'opacity=".75"')
  })

export const river: Scene = (random, palette) =>
  sky(random, palette, 430) +
  peaks(random, 520, 260, palette.far, palette.light) +
  hills(random, 640, 130, palette.middle) +
  path(
    'M860,560 C760,640 980,690 820,770 S500,900 420,1000 H1160 C1120,900 1060,840 1100,770 S980,640 900,560 Z',
    palette.sky[2],
  ) +
  repeat(22, () =>
    pine(
      random.next() < 0.5 ? random.next() * 420 : 1180 + random.next() * 420,
      700 + 260 * random.next(),
      0.6 + 0.5 * random.next(),
      palette.near,
    ),
  )

export const volcano: Scene = (random, palette) =>
  sky(random, palette, 520) +
  repeat(16, () =>
    circle(
      780 + random.between(-60, 60) + random.between(-160, 160) * random.next(),
      60 + random.next() * 320,
      50 + 70 * random.next(),
      palette.far,
      'opacity=".6"',
    ),
  ) +
  path('M120,960 L680,380 q120,40 230,0 L1500,960 Z', palette.middle) +
  path(
    'M700,382 q100,36 190,0 l60,160 l-70,-40 l-30,190 l-60,-170 l-50,60 l-20,-120 l-60,70 Z',
    palette.accent,
  ) +
  hills(random, 900, 110, palette.near) +
  water(random, palette, 900)

export const desert: Scene = (random, palette) =>
  sky(random, palette, 540) +
  [620, 720, 830, 940]
    .map((y, index) =>
      hills(random, y, 150, ['#d9a066', '#c98a4b', '#a96d38', '#7d4c27'][index] ?? '#7d4c27', 0.7),
    )
    .join('')
