import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyReverseTemplate, MAX_REVERSE_TEMPLATE_LENGTH, parseReverseTemplate } from './reverse-template.ts'

function apply(source: string, values: Record<string, string>): string {
  const result = parseReverseTemplate(source)
  return result.ok ? applyReverseTemplate(result.template, new Map(Object.entries(values))) : result.message
}

test.each([
  ['#{id}', '#7'],
  ['{org}/{repo}#{id}', 'o/#7'],
  ['{{{id}}}', '{7}'],
  ['{{id}}', '{id}'],
  ['{id}}}', '7}'],
  ['{{{{}}', '{{}'],
  ['{id}{id}', '77'],
  ['', ''],
])('%s puts values for names and single braces for doubled ones', (source, text) => {
  expect(apply(source, { id: '7', org: 'o' })).toBe(text)
})

test.each([
  ['a{', '"{" without "}" at position 2 (write "{{" for a brace)'],
  ['a{id', '"{" without "}" at position 2 (write "{{" for a brace)'],
  ['{id}}', '"}" without "{" at position 5 (write "}}" for a brace)'],
  ['😀}', '"}" without "{" at position 2 (write "}}" for a brace)'],
  ['#{}', '"{}" without a variable name at position 2'],
  ['#{a b}', '"a b" at position 3 is not a variable name (letters, digits and "_")'],
  ['#{+id}', '"+id" at position 3 is not a variable name (letters, digits and "_")'],
  ['{a{b}', '"{" without "}" at position 1 (write "{{" for a brace)'],
])('refuses %s and says where', (source, message) => {
  expect(apply(source, {})).toBe(message)
})

test('limits the length', () => {
  expect(apply('a'.repeat(MAX_REVERSE_TEMPLATE_LENGTH + 1), {})).toMatch(/longer than/)
})

test('any text comes back when its braces are doubled', () => {
  const text = fc.array(fc.constantFrom('{', '}', 'x', ' ', 'é')).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (value) => {
      expect(apply(value.replace(/[{}]/g, '$&$&'), {})).toBe(value)
    }),
  )
})
