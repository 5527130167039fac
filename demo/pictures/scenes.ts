import { createRandom } from '../random.ts'
import * as city from './city-scenes.ts'
import { PALETTES, type PaletteName } from './palettes.ts'
import { HEIGHT, WIDTH } from './parts.ts'
import * as science from './science-scenes.ts'
import * as sea from './sea-scenes.ts'

/** Every scene that a content file may name, with the palettes that suit it. */
const SCENES = {
  harbour: [sea.harbour, ['dusk', 'dawn', 'night', 'clear']],
  cranes: [sea.cranes, ['dusk', 'dawn', 'autumn']],
  storm: [sea.storm, ['storm']],
  ferry: [sea.ferry, ['clear', 'dawn', 'mint']],
  estuary: [sea.estuary, ['dawn', 'storm', 'dusk']],
  seawall: [sea.seawall, ['storm', 'clear', 'dusk']],
  bottle: [sea.bottle, ['clear', 'dawn']],
  sails: [sea.sails, ['clear', 'dusk', 'mint']],
  lighthouse: [sea.lighthouseScene, ['dusk', 'violet', 'clear']],
  beach: [sea.beach, ['clear', 'dawn', 'mint']],
  tram: [city.tram, ['dusk', 'autumn', 'clear', 'violet']],
  street: [city.street, ['night', 'dusk', 'violet']],
  stadium: [city.stadium, ['night', 'violet']],
  market: [city.market, ['clear', 'dawn', 'autumn']],
  theatre: [city.theatre, ['dusk', 'violet', 'night']],
  skyline: [city.skylineScene, ['dusk', 'night', 'violet', 'dawn']],
  kitchen: [city.kitchen, ['autumn', 'mint', 'dawn']],
  workshop: [city.workshop, ['autumn', 'mint', 'dusk']],
  train: [city.train, ['clear', 'autumn', 'dawn']],
  books: [city.books, ['autumn', 'violet', 'mint', 'dusk']],
  ice: [science.ice, ['clear', 'dawn', 'violet']],
  forest: [science.forest, ['mint', 'autumn', 'dawn', 'violet']],
  field: [science.field, ['dawn', 'autumn', 'clear']],
  turbines: [science.turbines, ['dusk', 'clear', 'mint']],
  planet: [science.planet, ['dusk', 'violet', 'mint', 'night']],
  telescope: [science.telescope, ['night', 'violet']],
  cells: [science.cells, ['violet', 'mint', 'dusk']],
  coral: [science.coral, ['dusk', 'clear']],
  circuit: [science.circuit, ['night', 'mint', 'violet']],
  waves: [science.waves, ['night', 'violet', 'storm']],
  river: [science.river, ['dawn', 'clear', 'mint']],
  volcano: [science.volcano, ['dusk', 'violet']],
  desert: [science.desert, ['autumn', 'dusk']],
} as const satisfies Record<string, readonly [typeof sea.harbour, readonly PaletteName[]]>

type SceneName = keyof typeof SCENES

const isScene = (name: string): name is SceneName => Object.hasOwn(SCENES, name)

/** Draws a scene as SVG, 1600 × 1000; the name (of an article) settles every detail. Throws on an unknown scene. */
export function drawScene(scene: string, name: string): string {
  if (!isScene(scene))
    throw new Error(`${name}: no scene "${scene}"; there are ${Object.keys(SCENES).join(', ')}`)
  const random = createRandom(`scene/${name}`)
  const [draw, palettes] = SCENES[scene]
  const palette = PALETTES[random.pick<PaletteName>(palettes)]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${draw(random, palette)}</svg>`
}
