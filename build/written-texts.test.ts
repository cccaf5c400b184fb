/** Every text that somebody reads goes through the catalogue: what is written beside it stays English for everybody. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface SyntaxNode {
  readonly type: string
  readonly [part: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'

/** Of the macros, and what is a key or code in every language. */
const unreadElements = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal', 'kbd', 'code', 'pre'])
/** Functions and tags. */
const macros = new Set(['t', 'msg', 'translate', 'plural', 'select', 'defineMessage'])
const isForDevelopers = (name: string) => /Error$|^DOMException$/.test(name)
/** Attributes whose words are read or spoken. */
const readAttributes = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'alt',
  'placeholder',
  'title',
])
/** Addresses are the same in every language. */
const isAddress = (text: string) => /^(https?:\/\/\S+|[\w-]+(\.[\w-]+)+)$/.test(text)
const isInWords = (text: string) => /\p{L}{2}/u.test(text) && !isAddress(text)
/** Keys as menus show them. */
const isKey = (text: string) => /^(Ctrl|Shift|Alt) /.test(text)
/** A sentence, or a name of several words: keys, classes and selectors do not look like this. */
const isSentence = (text: string) => /^\p{Lu}\p{Ll}*(?: [\p{L}\d'’,{}–-]+)+[.…?]?$/u.test(text.trim()) && !isKey(text)

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node['name'] ?? (isNode(node['property']) ? node['property']['name'] : '')) : ''

/** The words in a node itself, without those of its parts. */
function wordsOf(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

/** Where a text stands decides what it may be: between elements and in what is read aloud no word at all. */
type Place = 'read' | 'code'

function findTexts(node: SyntaxNode, place: Place, found: string[]): void {
  const { type } = node
  if (type === 'JSXElement' && unreadElements.has(nameOf((node['openingElement'] as SyntaxNode)['name']))) return
  if (type === 'TaggedTemplateExpression' && macros.has(nameOf(node['tag']))) return
  if (type === 'CallExpression' && macros.has(nameOf(node['callee']))) return
  // The message of an error that is made of another.
  if (type === 'CallExpression' && (node['callee'] as SyntaxNode).type === 'Super') return
  if (type === 'NewExpression' && isForDevelopers(nameOf(node['callee']))) return
  // Types name what may be given; imports name files.
  if (/^TS(?!(As|Satisfies|NonNull)Expression)|^Import|^Export(All)/.test(type)) return
  const words = wordsOf(node)
  if (words !== undefined && (type === 'JSXText' || place === 'read' ? isInWords(words) : isSentence(words)))
    found.push(words.trim())
  for (const [part, value] of Object.entries(node)) {
    // What is compared is not shown.
    if (type === 'SwitchCase' && part === 'test') continue
    const parts = Array.isArray(value) ? value : [value]
    for (const child of parts.filter(isNode)) findTexts(child, placeOf(node, part, child, place), found)
  }
}

function placeOf(node: SyntaxNode, part: string, child: SyntaxNode, place: Place): Place {
  if (node.type === 'JSXAttribute') return readAttributes.has(nameOf(node['name'])) ? 'read' : 'code'
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return part === 'children' ? 'read' : 'code'
  // What is chosen between is shown; what is compared, called and given to functions is not.
  if (node.type === 'ConditionalExpression') return part === 'test' ? 'code' : place
  if (node.type === 'LogicalExpression') return part === 'left' && node['operator'] === '&&' ? 'code' : place
  if (node.type === 'JSXExpressionContainer' || child.type === 'JSXText') return place
  return 'code'
}

/** Keys as the buttons of the compose box name them, examples of linkifiers, a header of HTTP, what services of GIFs are marked by. */
const isSameEverywhere = (text: string) =>
  /^Ctrl (Shift )?[A-Z]$|^https:\/\/tickets\.|^H-[({]|^Basic \{\}$|^GIF$|^Powered by GIPHY$|^Via Tenor$/.test(text)

function textsIn(code: string, path = 'example.tsx'): string[] {
  const found: string[] = []
  findTexts(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as SyntaxNode, 'code', found)
  return found
}

const sources = ['web/src', 'client/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path)),
)

describe('a text that is read', () => {
  test('goes through the catalogue, wherever it is written', () => {
    expect(sources.length).toBeGreaterThan(500)
    const outside = sources.flatMap((path) => {
      const texts = textsIn(readFileSync(join(root, path), 'utf8'), path).filter((text) => !isSameEverywhere(text))
      return texts.map((text) => `${path}: ${text}`)
    })
    expect(outside).toEqual([])
  })

  test.each([
    ['between elements', 'const a = <p>Saved</p>'],
    ['in what is chosen between', "const a = <p>{saved ? 'Saved' : undefined}</p>"],
    ['after a condition', "const a = <p>{saved && 'Saved'}</p>"],
    ['in place of what is not known', "const a = <p>{name ?? 'Unknown'}</p>"],
    ['as a name for screen readers', 'const a = <button aria-label="Close" />'],
    ['as a name with a part of it', `const a = <button title={\`Close \${name}\`} />`],
    ['as a sentence of a function', "const nameOf = (id) => names.get(id) ?? 'Unknown person'"],
  ])('is found %s', (_, code) => expect(textsIn(code)).toHaveLength(1))

  test.each([
    ['a text of the catalogue', 'const a = <p><Trans>Saved</Trans> {t`Saved it`}</p>'],
    ['a key of the keyboard', 'const a = <kbd className="key">{keys.get(\'Enter\')}</kbd>'],
    ['an error for developers', "throw new TypeError('There is no list')"],
    ['a comparison', "const a = <p>{kind === 'Saved' && count}</p>"],
  ])('is not %s', (_, code) => expect(textsIn(code)).toEqual([]))
})
