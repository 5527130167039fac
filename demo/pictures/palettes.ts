/** Colours of one picture, from the top of the sky to the nearest silhouette. */
export interface Palette {
  sky: [string, string, string]
  sun: string
  far: string
  middle: string
  near: string
  light: string
  accent: string
  isNight?: boolean
}

export const PALETTES = {
  dusk: {
    sky: ['#1f2a52', '#8a4f7d', '#f6a36b'],
    sun: '#ffd9a0',
    far: '#6b4a78',
    middle: '#43355f',
    near: '#1c1d3a',
    light: '#ffcf87',
    accent: '#e4572e',
  },
  dawn: {
    sky: ['#7fb4cf', '#f3d3bd', '#fbe9c6'],
    sun: '#fff3d6',
    far: '#a9bccb',
    middle: '#6d8ca3',
    near: '#2f4a5f',
    light: '#fffaf0',
    accent: '#d9643a',
  },
  storm: {
    sky: ['#2b3640', '#566873', '#94a5a8'],
    sun: '#cfd8d6',
    far: '#5f737c',
    middle: '#3e525c',
    near: '#1d2a31',
    light: '#e8eeea',
    accent: '#c8553d',
  },
  night: {
    sky: ['#060b1f', '#12224a', '#2d4a7c'],
    sun: '#f3efd8',
    far: '#1d3159',
    middle: '#132343',
    near: '#080f22',
    light: '#ffd98a',
    accent: '#5fb4c9',
    isNight: true,
  },
  clear: {
    sky: ['#2f7fb8', '#86c1dd', '#dff0ea'],
    sun: '#fffbe8',
    far: '#8fb7c4',
    middle: '#4d8796',
    near: '#1f4c5c',
    light: '#ffffff',
    accent: '#ef7b45',
  },
  autumn: {
    sky: ['#5b7c99', '#d8c3a5', '#f2dcae'],
    sun: '#fff0cc',
    far: '#b08d6a',
    middle: '#8a5a3c',
    near: '#46301f',
    light: '#ffe9bd',
    accent: '#b23a28',
  },
  mint: {
    sky: ['#1b4d4f', '#4f9c8f', '#cfe8cf'],
    sun: '#f4f6d2',
    far: '#7fb69b',
    middle: '#3b7a68',
    near: '#16403d',
    light: '#f3f7dc',
    accent: '#f0a35e',
  },
  violet: {
    sky: ['#231942', '#5e548e', '#e0b1cb'],
    sun: '#ffe5ec',
    far: '#7a6aa6',
    middle: '#4b3f72',
    near: '#1d1535',
    light: '#ffe8d6',
    accent: '#ff9770',
  },
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof PALETTES
