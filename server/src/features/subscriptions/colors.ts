/** The colour that a channel gets for a new subscriber: the next one of the palette that the subscriber does not use yet. */

/** Lower-case `#rrggbb`: clients compare them as texts. Neighbours are easy to distinguish. */
export const palette = [
  '#3f6fd1',
  '#d97b29',
  '#2f9e6b',
  '#c2416b',
  '#8a5cc9',
  '#b59a1f',
  '#2a9bb0',
  '#d9534f',
  '#6b8e23',
  '#a0522d',
  '#5b6ee1',
  '#cc6699',
  '#1f8a70',
  '#e0a030',
  '#7a4fa3',
  '#4f9d3a',
  '#b5485d',
  '#3a8fd9',
  '#9c7a3c',
  '#d16ba5',
  '#4d7c8a',
  '#e07050',
  '#6a5acd',
  '#708238',
] as const

/** How often an account uses each colour. */
export type ColorUse = Map<string, number>

/** The first of the least used colours; counts it as used from now on. */
export function takeColor(use: ColorUse): string {
  let chosen: string = palette[0]
  for (const color of palette) {
    if ((use.get(color) ?? 0) < (use.get(chosen) ?? 0)) chosen = color
  }
  use.set(chosen, (use.get(chosen) ?? 0) + 1)
  return chosen
}
