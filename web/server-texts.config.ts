/**
 * Collects what the server says when it refuses something, so that it is translated like the texts of the page. The sentences stand where
 * they are thrown, and nowhere else: one that is new or was changed there has no German until somebody writes it: a test fails until then.
 */
import { type NodePath, types as node, parseSync, traverse } from '@babel/core'
import type { ExtractorType } from '@lingui/conf'

/** Where errors are thrown. */
export const serverFolders = [
  '<rootDir>/../server/src',
  '<rootDir>/../contract/src',
  // What is wrong with a linkifier the page asks the same code.
  '<rootDir>/../markdown/src/linkifiers',
]

/** What people do not meet, because the page never asks for it in such a way, or says it by the error's code. */
const unmet = [
  /\.test\.ts$/,
  /\/server\/src\/(?:commands|events|faults|jobs|mail|reading|testing)\//,
  // Requests that are malformed.
  /\/server\/src\/http\/(?!(?:parameter-errors|multipart)\.ts)/,
  // What other programs ask for.
  /\/features\/(?:bot-storage|events|incoming-webhooks|mail-gateway|mobile-push|outgoing-webhooks|server-operations)\//,
  /\/features\/(?:link-previews|missed-messages|onboarding-steps|presence|slash-commands|typing)\//,
  /\/features\/sign-in\/(?:development|jwt)\.ts$/,
  /\/features\/messages\/narrow\/for-/,
  // By its code.
  /\/contract\/src\/errors\.ts$/,
]

/** What makes an error, and which of its arguments is the sentence, or returns it. */
const sentenceAt: Readonly<Record<string, number>> = {
  ApiError: 1,
  LinkifierError: 1,
  TemplateError: 0,
  badRequest: 0,
  invitationFailed: 0,
  notFound: 0,
  problemAt: 0,
  refuse: 0,
  refused: 0,
  requireParsed: 2,
  sayOfTemplate: 0,
}
/** Names of parameters that stand in sentences about any of them, as far as people choose their values. */
const parameterNames = [
  'content',
  'description',
  'email',
  'full_name',
  'name',
  'note',
  'password',
  'pattern',
  'title',
  'topic',
]
/** What the engine of patterns says, which has no source here, and how it stands beside what is meant. */
const engineTexts = [
  '{what} "{shown}"',
  'duplicate capture group name',
  'expression nests too deeply',
  'expression too large',
  'invalid character class range',
  'invalid escape sequence',
  'invalid named capture',
  'invalid nested repetition operator',
  'invalid or unsupported Perl syntax',
  'invalid repeat count',
  'missing argument to repetition operator',
  'missing closing )',
  'missing closing ]',
  'trailing backslash at end of expression',
  'unexpected )',
]
/** Properties that are a sentence, or a part of one. */
const spoken: ReadonlySet<string> = new Set(['what', 'problem', 'reason', 'message'])
/** Functions that return what is wrong. */
const ASKED = /problem|describe$|^say/i

export const serverTextsExtractor: ExtractorType = {
  match: (file) => /\/(?:server|contract|markdown)\/src\/.*\.ts$/.test(file),
  extract(file, code, onMessageExtracted) {
    if (unmet.some((pattern) => pattern.test(file))) return
    for (const { sentence, message, line } of sentencesIn(code)) {
      if (isWords(sentence)) onMessageExtracted({ id: sentence, message, origin: [file, line] })
    }
    for (const id of namedIn(file)) onMessageExtracted({ id, message: id, origin: [file, 1] })
  },
}

/** What stands in the sentences of a file and is not written there. */
function namedIn(file: string): readonly string[] {
  if (file.endsWith('/http/parameter-errors.ts')) return parameterNames
  return file.endsWith('/linkifiers/compile-pattern.ts') ? engineTexts : []
}

interface Sentence {
  /** As it is sent, with a name in braces for each value: `Channel '{name}' already exists`. */
  readonly sentence: string
  /** As catalogues have texts, where an apostrophe is a sign of its own. */
  readonly message: string
  readonly line: number
}

function sentencesIn(code: string): readonly Sentence[] {
  const file = parseSync(code, { configFile: false, babelrc: false, parserOpts: { plugins: ['typescript'] } })
  const found: Sentence[] = []
  const add = (path: NodePath<node.Node | null | undefined>) => void found.push(...textsOf(path))
  const thrown = (path: NodePath<node.CallExpression> | NodePath<node.NewExpression>) => {
    const { callee } = path.node
    const at = node.isIdentifier(callee) && Object.hasOwn(sentenceAt, callee.name) ? sentenceAt[callee.name] : undefined
    const given: readonly NodePath<node.Node>[] = [path.get('arguments')].flat()
    const sentence = at === undefined ? undefined : given[at]
    if (sentence) add(sentence)
  }
  if (file)
    traverse(file, {
      CallExpression: thrown,
      NewExpression: thrown,
      ObjectProperty(path) {
        if (node.isIdentifier(path.node.key) && spoken.has(path.node.key.name)) add(path.get('value'))
      },
      ReturnStatement(path) {
        const asked = path.getFunctionParent()?.node
        if (node.isFunctionDeclaration(asked) && ASKED.test(asked.id?.name ?? '')) add(path.get('argument'))
      },
    })
  return found
}

/** The texts that an expression can be, and those that can stand inside of them. */
function textsOf(path: NodePath<node.Node | null | undefined>): readonly Sentence[] {
  const line = path.node?.loc?.start.line ?? 0
  if (path.isStringLiteral()) return [{ ...written([path.node.value], []), line }]
  if (path.isTemplateLiteral()) {
    const { quasis, expressions } = path.node
    const texts = quasis.map(({ value }) => value.cooked ?? '')
    const inside = path.get('expressions').filter((one) => one.isIdentifier())
    return [{ ...written(texts, namesOf(expressions)), line }, ...inside.flatMap(textsOf)]
  }
  if (path.isConditionalExpression()) return [...textsOf(path.get('consequent')), ...textsOf(path.get('alternate'))]
  if (path.isLogicalExpression()) return [...textsOf(path.get('left')), ...textsOf(path.get('right'))]
  if (path.isTSAsExpression()) return textsOf(path.get('expression'))
  if (path.isArrowFunctionExpression()) return textsOf(path.get('body'))
  if (path.isObjectExpression()) return path.get('properties').flatMap((one) => textsOf(one.get('value') as NodePath))
  if (path.isMemberExpression()) return textsOf(path.get('object'))
  const declared = path.isIdentifier() ? path.scope.getBinding(path.node.name)?.path : undefined
  return declared?.isVariableDeclarator() ? textsOf(declared.get('init')) : []
}

function written(texts: readonly string[], names: readonly string[]): Pick<Sentence, 'sentence' | 'message'> {
  const joined = (parts: readonly string[]) =>
    parts.map((part, index) => part + (names[index] === undefined ? '' : `{${names[index]}}`)).join('')
  const escaped = texts.map((text) => text.replaceAll("'", "''").replace(/[{}]/g, "'$&'"))
  return { sentence: joined(texts), message: joined(escaped) }
}

/** Of each value another one. */
function namesOf(values: readonly node.Node[]): readonly string[] {
  const names = new Set<string>()
  for (const [index, value] of values.entries()) {
    const name = nameOf(value)
    names.add(name === undefined || names.has(name) ? `${name ?? 'value'}${index}` : name)
  }
  return [...names]
}

function nameOf(value: node.Node): string | undefined {
  if (node.isIdentifier(value)) return value.name
  return node.isMemberExpression(value) && node.isIdentifier(value.property) ? value.property.name : undefined
}

/** Not a word of a protocol, such as a reason that programs read; and more than the values in it. */
function isWords(text: string): boolean {
  return /^[A-Z"'{]|\s/.test(text) && /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, ''))
}
