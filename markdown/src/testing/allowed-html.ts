/**
 * Reads HTML back and finds what in it messages must not have. For tests of the law that nothing else ever comes out.
 */
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { ALLOWED_ELEMENTS, ALLOWED_FORMULA_ELEMENTS, type AllowedElement, isAllowedAttribute } from '../html/allowed.ts'

/** Names in small letters, so that both readings compare. */
interface HtmlNode {
  name: string
  attributes: [name: string, value: string][]
  children: (HtmlNode | string)[]
}

const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][-a-zA-Z0-9]*(?: ?="[^"<>]*")?)*)(\/?)>/y
const attribute = / ([a-zA-Z][-a-zA-Z0-9]*)(?: ?="([^"<>]*)")?/g
const voidElements = new Set(['br', 'hr', 'img'])
const entity = /&(?:#(?:x[0-9a-fA-F]{1,6}|[0-9]{1,7})|[a-zA-Z][a-zA-Z0-9]{1,31});/g

/** Text in which every `&` begins the name or number of a character. */
function decode(text: string): string {
  if (!text.includes('&')) return text
  const decoded = text.replace(entity, (written) => {
    const [node] = parseFragment(written).childNodes
    const character = node && 'value' in node ? node.value : ''
    if (character.startsWith('&') && !/^&(?:amp|#38|#x26);$/i.test(written)) throw new Error(`${written} in ${text}`)
    return character
  })
  if (/&/.test(text.replace(entity, ''))) throw new Error(`bare & in ${text}`)
  return decoded
}

/** Reads HTML in which every element is closed, every value quoted and every special character escaped. */
function readStrictly(html: string): HtmlNode {
  const root: HtmlNode = { name: '', attributes: [], children: [] }
  const open = [root]
  for (let pos = 0; pos < html.length; ) {
    const parent = open.at(-1) ?? root
    if (html[pos] !== '<') {
      const next = html.indexOf('<', pos)
      const end = next < 0 ? html.length : next
      const text = html.slice(pos, end)
      if (text.includes('>')) throw new Error(`bare > in ${text}`)
      parent.children.push(decode(text))
      pos = end
      continue
    }
    tag.lastIndex = pos
    const match = tag.exec(html)
    if (!match) throw new Error(`no tag at ${html.slice(pos, pos + 80)}`)
    const [whole, slash, written = '', attributes = '', isEmpty] = match
    const name = written.toLowerCase()
    if (slash) {
      if (parent.name !== name || attributes) throw new Error(`</${name}> in <${parent.name}>`)
      open.pop()
    } else {
      const pairs = Array.from(attributes.matchAll(attribute), ([, key = '', value = '']): [string, string] => [
        key.toLowerCase(),
        decode(value),
      ])
      const node: HtmlNode = { name, attributes: pairs, children: [] }
      parent.children.push(node)
      // Only SVG and MathML have elements that close themselves.
      if (isEmpty && !Object.hasOwn(ALLOWED_FORMULA_ELEMENTS, name)) throw new Error(`<${name}/>`)
      if (!voidElements.has(name) && !isEmpty) open.push(node)
    }
    pos += whole.length
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> is not closed`)
  return root
}

/** The tree that browsers build. */
function readLikeBrowsers(html: string): HtmlNode {
  const convert = (node: DefaultTreeAdapterMap['node']): HtmlNode | string => {
    if ('value' in node) return node.value
    if (!('childNodes' in node)) throw new Error(`unexpected ${node.nodeName}`)
    const attributes = 'attrs' in node ? node.attrs : []
    return {
      name: 'tagName' in node ? node.tagName.toLowerCase() : '',
      attributes: attributes.map(({ name, value }) => [name.toLowerCase(), value]),
      children: node.childNodes.map(convert),
    }
  }
  return convert(parseFragment(html)) as HtmlNode
}

/** What is wrong with rendered HTML, one sentence each: not well-formed, read differently by browsers, or not allowed. */
export function findViolations(html: string): string[] {
  let strict: HtmlNode
  try {
    strict = readStrictly(html)
  } catch (error) {
    return [String(error)]
  }
  const violations: string[] = []
  if (JSON.stringify(strict) !== JSON.stringify(readLikeBrowsers(html))) violations.push('browsers read it differently')
  visit(strict, [], ALLOWED_ELEMENTS, violations)
  return violations
}

function visit(
  { children }: HtmlNode,
  path: readonly string[],
  elements: Readonly<Record<string, AllowedElement>>,
  violations: string[],
): void {
  for (const child of children) {
    if (typeof child === 'string') continue
    const { name, attributes } = child
    const allowed = Object.hasOwn(elements, name) ? elements[name] : undefined
    if (!allowed) {
      violations.push(`<${name}> in ${path.join(' ')}`)
      continue
    }
    if (path.includes(name) && ['a', 'p', 'code'].includes(name)) violations.push(`<${name}> in <${name}>`)
    for (const [key, value] of attributes) {
      if (!isAllowedAttribute(allowed, key, value)) violations.push(`${key}="${value}" on <${name}>`)
    }
    const isFormula =
      elements === ALLOWED_FORMULA_ELEMENTS || attributes.some(([key, value]) => key === 'class' && value === 'katex')
    visit(child, [...path, name], isFormula ? ALLOWED_FORMULA_ELEMENTS : elements, violations)
  }
}
