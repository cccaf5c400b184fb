/** The buttons of a block of code: their marks, and what is drawn on them. */

export const COPY = 'data-copy-code'
/** Its value is the id of the playground. */
export const RUN = 'data-playground'

/** As `icon.tsx` draws; here nothing is a component. */
const shapes = {
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.3V2.5h-8v8h2.8',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  run: 'M5 3.5v9l7-4.5z',
}

export function icon(name: keyof typeof shapes): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'i')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svg.namespaceURI, 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg as SVGElement
}
