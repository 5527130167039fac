import * as z from 'zod/mini'
import { createRandom } from '../random.ts'
import { circle, path, rect, repeat } from './parts.ts'

const BACKGROUNDS = ['#e9c46a', '#8ab6c1', '#e5989b', '#a3b18a', '#b8a1d9', '#f2b880', '#7ea8be']
const CLOTHES = ['#1f3a4d', '#7a2e3a', '#2f5d50', '#4b3f72', '#303030', '#a8552f']

const SKINS = {
  light: '#f3cfb3',
  fair: '#e8bd98',
  tan: '#c68a5e',
  brown: '#8d5a3b',
  dark: '#5f3b28',
} as const
const HAIRS = {
  black: '#2a1b15',
  brown: '#4b2e1e',
  chestnut: '#8a5a2b',
  blond: '#c9a25a',
  grey: '#9a9a9a',
  red: '#b5482e',
} as const
const CUTS = {
  swept:
    'M204,300 C196,150 300,140 330,150 C420,140 446,200 438,306 C420,250 400,226 372,216 C320,240 250,230 226,236 Z',
  round: 'M206,310 C180,120 460,110 436,310 C430,240 380,214 320,214 C262,214 214,240 206,310 Z',
  cropped: 'M208,286 C214,146 426,146 434,286 C404,206 238,206 208,286 Z',
  parted: 'M204,296 C190,130 420,110 440,290 C380,270 330,210 300,206 C290,250 240,270 204,296 Z',
} as const

const keysOf = <T extends string>(table: Record<T, string>) => Object.keys(table) as [T, ...T[]]

/** How a person looks. */
export const Portrait = z.strictObject({
  skin: z.enum(keysOf(SKINS)),
  hair: z.enum(keysOf(HAIRS)),
  cut: z.enum(keysOf(CUTS)),
  long: z._default(z.boolean(), false),
  beard: z._default(z.boolean(), false),
  glasses: z._default(z.boolean(), false),
})
export type Portrait = z.infer<typeof Portrait>

/** Draws a stylised portrait as SVG, 640 × 640; the name settles what the person's looks leave open. */
export function drawPortrait(name: string, looks: Portrait): string {
  const random = createRandom(`portrait/${name}`)
  const [skin, hair] = [SKINS[looks.skin], HAIRS[looks.hair]]
  const clothes = random.pick(CLOTHES)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640" viewBox="0 0 640 640">${[
    rect(0, 0, 640, 640, random.pick(BACKGROUNDS)),
    circle(320, 330, 270, '#ffffff', 'opacity=".18"'),
    looks.long ? path('M190,300 C180,120 460,120 450,300 L470,520 H170 Z', hair) : '',
    path('M110,640 C120,500 230,470 320,470 C410,470 520,500 530,640 Z', clothes),
    path('M262,400 h116 v84 q-58,60 -116,0 Z', skin),
    path('M262,420 q58,60 116,0 v24 q-58,50 -116,0 Z', '#000', 'opacity=".12"'),
    `<ellipse cx="320" cy="310" rx="112" ry="138" fill="${skin}"/>`,
    path(CUTS[looks.cut], hair),
    drawFace(looks, hair),
    path('M262,474 L320,560 L378,474 L404,490 L320,622 L236,490 Z', '#f5f1e8'),
  ].join('')}</svg>`
}

function drawFace({ beard: hasBeard, glasses: hasGlasses }: Portrait, hair: string): string {
  const eyes = repeat(2, (side) => circle(276 + side * 88, 312, 9, '#20161a'))
  const brows = repeat(2, (side) =>
    path(
      `M${256 + side * 88},286 q20,-14 40,0`,
      'none',
      `stroke="${hair}" stroke-width="9" stroke-linecap="round"`,
    ),
  )
  const glasses = repeat(2, (side) =>
    circle(276 + side * 88, 312, 34, 'none', 'stroke="#2b2b2b" stroke-width="6"'),
  )
  const beard = path(
    'M222,340 C230,460 280,462 320,462 C360,462 410,460 418,340 C400,400 360,392 320,392 C280,392 240,400 222,340 Z',
    hair,
  )
  return [
    hasBeard ? beard : '',
    eyes,
    brows,
    hasGlasses ? `${glasses}<path d="M310,312 h20" stroke="#2b2b2b" stroke-width="6"/>` : '',
    path(
      'M320,318 q-14,40 4,46',
      'none',
      'stroke="#000" stroke-opacity=".25" stroke-width="7" stroke-linecap="round"',
    ),
    path(
      'M286,400 q34,26 68,0',
      'none',
      'stroke="#7c2d2d" stroke-width="9" stroke-linecap="round"',
    ),
  ].join('')
}
