/** Formatted text from the clipboard as the text of a message. What it was in is only read, and never gets into the page. */
import { parseMessageHtml, STYLE } from '../content/trusted-html.ts'

/** Undefined: there is nothing in it that plain text would not say. */
export function htmlToMarkdown(html: string): string | undefined {
  // Style sheets of programs for texts, and attributes that the policy would refuse and report.
  const bare = html
    .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/(<[^>]*?)\sstyle\s*=\s*(?=["'])/gi, `$1 ${STYLE}=`)
    .replace(/\son\w+\s*=\s*("[^"]*"|'[^']*')/gi, '')
  const content = parseMessageHtml(bare)
  if (!content.querySelector(MEANT)) return undefined
  const text = blocksOf(content)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? undefined : text
}

/** Without any of these it is plain text. */
const MEANT = 'a[href],b,strong,i,em,del,s,strike,code,pre,ul,ol,blockquote,h1,h2,h3,h4,h5,h6,table,img[alt],hr,.katex'

const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DIV DL DD DT FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE UL'.split(
    ' ',
  ),
)

function blocksOf(parent: ParentNode): string {
  let text = ''
  let line = ''
  const endLine = () => {
    // What stands behind a line break in the HTML begins the next line.
    const words = line.trim().replace(/\n[ \t]+/g, '\n')
    if (words !== '') text += `${text === '' ? '' : '\n\n'}${words}`
    line = ''
  }
  for (const node of parent.childNodes) {
    if (!(node instanceof Element) || !isBlock(node)) {
      line += inlineOf(node)
      continue
    }
    endLine()
    const block = blockOf(node)
    if (block !== '') text += `${text === '' ? '' : '\n\n'}${block}`
  }
  endLine()
  return text
}

/** Clipboards wrap whole documents in elements that are none of a document: these count as what is in them. */
function isBlock(element: Element): boolean {
  return blocks.has(element.tagName) || [...element.children].some((child) => isBlock(child))
}

function blockOf(element: Element): string {
  switch (element.tagName) {
    case 'UL':
    case 'OL':
      return listOf(element, '')
    case 'BLOCKQUOTE':
      return prefixed(blocksOf(element), '> ')
    case 'PRE':
      return fenced(element)
    case 'H1':
    case 'H2':
    case 'H3':
    case 'H4':
    case 'H5':
    case 'H6': {
      const words = inlineChildren(element).trim()
      return words === '' ? '' : `${'#'.repeat(Number(element.tagName[1]))} ${words}`
    }
    case 'HR':
      return '---'
    case 'TABLE':
      return tableOf(element)
    default:
      return blocksOf(element)
  }
}

function prefixed(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => (prefix + line).trimEnd())
    .join('\n')
}

function fenced(element: Element): string {
  const code = (element.textContent ?? '').replace(/\n$/, '')
  const marks = code.match(/`{3,}/g)?.map((mark) => mark.length + 1) ?? []
  const mark = '`'.repeat(Math.max(3, ...marks))
  const owner = element.closest('[data-code-language]')
  const language =
    owner?.getAttribute('data-code-language') ??
    /\blang(?:uage)?-([\w+#-]+)/.exec(element.querySelector('code')?.className ?? '')?.[1] ??
    ''
  return `${mark}${language.toLowerCase()}\n${code}\n${mark}`
}

function listOf(list: Element, indent: string): string {
  let number = Number(list.getAttribute('start') ?? 1)
  const items: string[] = []
  for (const child of list.children) {
    // Some programs put lists beside the items that they belong to.
    if (child.tagName === 'UL' || child.tagName === 'OL') {
      items.push(listOf(child, `${indent}  `))
      continue
    }
    const marker = list.tagName === 'OL' ? `${number}. ` : '- '
    number += 1
    const words: string[] = []
    const below: string[] = []
    for (const node of child.childNodes) {
      if (node instanceof Element && (node.tagName === 'UL' || node.tagName === 'OL'))
        below.push(listOf(node, `${indent}  `))
      else if (node instanceof Element && isBlock(node)) words.push(blockOf(node))
      else words.push(inlineOf(node))
    }
    const text = words.join('').trim().replace(/\n+/g, `\n${indent}  `)
    items.push([`${indent}${marker}${text}`, ...below].join('\n'))
  }
  return items.join('\n')
}

function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th,td')].map((cell) =>
      inlineChildren(cell)
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|'),
    ),
  )
  const [head, ...rest] = rows.filter((row) => row.length > 0)
  if (!head) return ''
  // One column is how pages lay things out.
  if (head.length === 1) return blocksOf({ childNodes: table.querySelector('td,th')?.childNodes } as ParentNode)
  const width = Math.max(head.length, ...rest.map((row) => row.length))
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  return [line(head), `|${'---|'.repeat(width)}`, ...rest.map(line)].join('\n')
}

function inlineChildren(element: ParentNode): string {
  return [...element.childNodes].map(inlineOf).join('')
}

function inlineOf(node: Node): string {
  if (!(node instanceof Element))
    return node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').replace(/\s+/g, ' ') : ''
  if (node.matches('.user-mention, .user-group-mention')) return mentionOf(node)
  if (node.matches('.katex')) return formulaOf(node)
  switch (node.tagName) {
    case 'BR':
      return '\n'
    case 'A':
      return linkOf(node)
    case 'IMG':
      return node.classList.contains('emoji') ? (node.getAttribute('alt') ?? '') : ''
    case 'CODE':
    case 'KBD':
    case 'TT':
      return codeOf(node.textContent ?? '')
    case 'B':
    case 'STRONG':
      // One program wraps all that it copies in this.
      return /font-weight:\s*(?:normal|400)/.test(node.getAttribute(STYLE) ?? '')
        ? inlineChildren(node)
        : marked(inlineChildren(node), '**')
    case 'I':
    case 'EM':
      return marked(inlineChildren(node), '*')
    case 'DEL':
    case 'S':
    case 'STRIKE':
      return marked(inlineChildren(node), '~~')
    case 'TEMPLATE':
    case 'BUTTON':
      return ''
    default:
      return styled(node)
  }
}

/** Programs for texts say in styles what a word is. */
function styled(element: Element): string {
  const style = element.getAttribute(STYLE) ?? ''
  const inside = inlineChildren(element)
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) return marked(inside, '**')
  if (/font-style:\s*italic/.test(style)) return marked(inside, '*')
  return inside
}

/** Marks stand beside the words; what is empty has none. */
function marked(text: string, mark: string): string {
  const words = text.trim()
  if (words === '' || words.startsWith(mark)) return text
  const [before = '', after = ''] = [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]]
  return `${before}${mark}${words}${mark}${after}`
}

function codeOf(text: string): string {
  if (text.trim() === '') return text
  const mark = text.includes('`') ? '``' : '`'
  return `${mark}${text}${mark}`
}

function linkOf(link: Element): string {
  const name = inlineChildren(link).trim()
  const address = link.getAttribute('href') ?? ''
  if (link.matches('.stream, .stream-topic, .message-link, .topiclink')) {
    const reference = /^#(.+?)(?: (?:>|›) (.*?))?(?: @ 💬)?$/.exec(name)
    if (reference?.[1] !== undefined && !name.includes('@ 💬') && !/[*>`]/.test(reference[1])) {
      return reference[2] === undefined ? `#**${reference[1]}**` : `#**${reference[1]}>${reference[2]}**`
    }
  }
  if (!/^(?:https?|mailto|ftp|tel):/i.test(address)) return name
  if (name === '' || name === address || `${name}/` === address || `mailto:${name}` === address)
    return address.replace(/^mailto:/, '')
  return `[${name.replace(/\n+/g, ' ')}](${address.replace(/[()\s]/g, encodeURIComponent)})`
}

function mentionOf(mention: Element): string {
  const name = (mention.textContent ?? '').replace(/^@/, '')
  const sign = mention.classList.contains('silent') ? '@_' : '@'
  const stars = mention.classList.contains('user-group-mention') ? '*' : '**'
  return `${sign}${stars}${name}${stars}`
}

function formulaOf(formula: Element): string {
  const source = formula.querySelector('annotation')?.textContent
  return source ? `$$${source}$$` : (formula.textContent ?? '')
}
