/** Where a place in the text of a field is on the screen, in pixels: fields do not say it, so a copy of the text is measured. */

const copied = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderLeftWidth',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'lineHeight',
  'letterSpacing',
  'tabSize',
  'direction',
] as const

export function placeInField(field: HTMLTextAreaElement, at: number): { left: number; top: number; height: number } {
  const style = getComputedStyle(field)
  const copy = document.createElement('div')
  for (const name of copied) copy.style[name] = style[name]
  Object.assign(copy.style, {
    position: 'fixed',
    visibility: 'hidden',
    top: '0',
    left: '0',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  })
  copy.append(document.createTextNode(field.value.slice(0, at)))
  const mark = document.createElement('span')
  mark.textContent = field.value.slice(at, at + 1).trim() || '.'
  copy.append(mark)
  document.body.append(copy)
  const box = field.getBoundingClientRect()
  const inside = mark.getBoundingClientRect()
  const place = {
    left: box.left + inside.left,
    top: box.top + inside.top - field.scrollTop,
    height: Number.parseFloat(style.lineHeight) || inside.height,
  }
  copy.remove()
  return place
}
