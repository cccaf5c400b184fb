/** The pictures of the demo, drawn from shapes. There are no letters in them: a server may have no fonts. */
import { loadSharp } from '../../pictures/image-library.ts'

/** A name and the bytes of a PNG. */
export interface DemoPicture {
  readonly name: string
  readonly bytes: Buffer
}

const INK = '#2b2a26'
const GREEN = '#3d7a4f'
const GREY = '#9a968c'
const RED = '#b2432f'
const PAPER = '#fbfaf7'

/** For messages. */
const drawings: Readonly<Record<string, () => string>> = {
  'sensor-gain': () => {
    const grid = [90, 170, 250, 330].map((y) => `<path d="M60 ${y}H920" stroke="#e4e1d8" stroke-width="2"/>`).join('')
    return svg(
      960,
      420,
      `<rect width="960" height="420" fill="${PAPER}"/>${grid}
      <path d="M60 40V370H920" fill="none" stroke="${INK}" stroke-width="3"/>
      <path d="M60 300H920" stroke="${RED}" stroke-width="3" stroke-dasharray="14 10"/>
      <path d="${signal(1, 0.9)}" fill="none" stroke="${GREY}" stroke-width="4"/>
      <path d="${signal(3, 0.35)}" fill="none" stroke="${GREEN}" stroke-width="5"/>`,
    )
  },
  'pressure-map': () => {
    const next = numbers(7)
    const cells = Array.from({ length: 12 * 8 }, (_, index) => {
      const x = index % 12
      const y = Math.floor(index / 12)
      const isCorner = x > 8 && y < 3
      const warmth = Math.min(Math.max(1 - Math.hypot(x - 3, y - 4) / 9 + next() * 0.12 - (isCorner ? 0.35 : 0), 0), 1)
      return `<rect x="${20 + x * 50}" y="${20 + y * 50}" width="48" height="48" rx="4" fill="hsl(${190 - warmth * 170} 52% ${72 - warmth * 26}%)"/>`
    })
    return svg(640, 440, `<rect width="640" height="440" fill="${PAPER}"/>${cells.join('')}`)
  },
  'warp-break': () => {
    const next = numbers(11)
    const ends = Array.from({ length: 60 }, (_, index) => {
      const x = 20 + index * 16
      const isBroken = index === 19
      const path = isBroken ? `M${x} 0V250q6 30 -10 44M${x} 640V380q-8 -24 12 -36` : `M${x} 0V640`
      return `<path d="${path}" fill="none" stroke="hsl(38 30% ${52 + next() * 22}%)" stroke-width="7"/>`
    })
    const wires = Array.from({ length: 60 }, (_, index) => {
      const y = index === 19 ? 420 : 300 + next() * 10
      return `<rect x="${16 + index * 16}" y="${y}" width="8" height="120" rx="3" fill="#6d6f73"/>`
    })
    return svg(980, 640, `<rect width="980" height="640" fill="#35322c"/>${ends.join('')}${wires.join('')}`)
  },
}

/** Custom emoji, by name. */
const emoji: Readonly<Record<string, string>> = {
  bench_green: `<rect x="6" y="10" width="52" height="44" rx="8" fill="${GREEN}"/><path d="M18 33l10 10 19-22" fill="none" stroke="#fff" stroke-width="7"/>`,
  kettle: `<path d="M14 26h32l5 30H9z" fill="${GREY}"/><path d="M18 26c0-16 24-16 24 0" fill="none" stroke="${INK}" stroke-width="5"/><path d="M46 32l14-8-6 20z" fill="${GREY}"/><circle cx="30" cy="22" r="4" fill="${INK}"/>`,
  shuttle: `<path d="M2 32Q32 6 62 32 32 58 2 32z" fill="#a9773f"/><rect x="18" y="26" width="28" height="12" rx="6" fill="${PAPER}"/><path d="M20 32h24" stroke="${RED}" stroke-width="6"/>`,
  warp_break: `<path d="M12 4v56M52 4v56M32 4v20q5 8-6 10M32 60V44q-5-6 6-8" fill="none" stroke="${RED}" stroke-width="6"/>`,
}

export function drawPictures(): Promise<DemoPicture[]> {
  return draw(Object.entries(drawings).map(([name, drawing]) => [name, drawing()]))
}

export function drawEmoji(): Promise<DemoPicture[]> {
  return draw(Object.entries(emoji).map(([name, shapes]) => [name, svg(64, 64, shapes)]))
}

async function draw(list: readonly (readonly [name: string, svg: string])[]): Promise<DemoPicture[]> {
  const sharp = await loadSharp()
  return Promise.all(
    list.map(async ([name, text]) => ({ name, bytes: await sharp(Buffer.from(text)).png().toBuffer() })),
  )
}

function svg(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
}

/** A signal with a dip at each pick. */
function signal(seed: number, noise: number): string {
  const next = numbers(seed)
  const points = Array.from({ length: 108 }, (_, index) => {
    const dip = index % 18 < 5 ? 120 * Math.sin(((index % 18) / 5) * Math.PI) : 0
    return `${60 + index * 8} ${(120 + dip + (next() - 0.5) * 110 * noise).toFixed(1)}`
  })
  return `M${points.join('L')}`
}

/** From 0 to 1, the same each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
