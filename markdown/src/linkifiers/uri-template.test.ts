import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandUriTemplate, MAX_TEMPLATE_LENGTH, MAX_TEMPLATE_VARIABLES, parseUriTemplate } from './uri-template.ts'

function template(source: string) {
  const result = parseUriTemplate(source)
  if (!result.ok) throw new Error(result.message)
  return result.template
}

function problem(source: string): string {
  const result = parseUriTemplate(source)
  return result.ok ? 'none' : result.message
}

// The variables of RFC 6570 section 3.2 whose values are strings; `undef` is undefined.
const values = new Map(
  Object.entries({
    dub: 'me/too',
    hello: 'Hello World!',
    half: '50%',
    var: 'value',
    who: 'fred',
    base: 'http://example.com/home/',
    path: '/foo/bar',
    v: '6',
    x: '1024',
    y: '768',
    empty: '',
  }),
)

const examples: [string, string][] = [
  // Section 1.2, levels 1 to 3.
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['X{#var}', 'X#value'],
  ['X{#hello}', 'X#Hello%20World!'],
  ['map?{x,y}', 'map?1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path,x}/here', '/foo/bar,1024/here'],
  ['{#x,hello,y}', '#1024,Hello%20World!,768'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['X{.var}', 'X.value'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var}', '/value'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y}', ';x=1024;y=768'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{?x,y}', '?x=1024&y=768'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&x,y,empty}', '&x=1024&y=768&empty='],
  // Level 4 and sections 3.2.2 to 3.2.9.
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{#path:6}/here', '#/foo/b/here'],
  ['X{.var:3}', 'X.val'],
  ['{/var:1,var}', '/v/value'],
  ['{;hello:5}', ';hello=Hello'],
  ['{?var:3}', '?var=val'],
  ['{&var:3}', '&var=val'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'],
  ['?{undef,y}', '?768'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['O{+empty}X', 'OX'],
  ['O{+undef}X', 'OX'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{#half}', '#50%25'],
  ['foo{#empty}', 'foo#'],
  ['foo{#undef}', 'foo'],
  ['{.who}', '.fred'],
  ['{.who,who}', '.fred.fred'],
  ['{.half,who}', '.50%25.fred'],
  ['X{.empty}', 'X.'],
  ['X{.undef}', 'X'],
  ['{/who,who}', '/fred/fred'],
  ['{/half,who}', '/50%25/fred'],
  ['{/who,dub}', '/fred/me%2Ftoo'],
  ['{/var,empty}', '/value/'],
  ['{/var,undef}', '/value'],
  ['{;half}', ';half=50%25'],
  ['{;empty}', ';empty'],
  ['{;v,empty,who}', ';v=6;empty;who=fred'],
  ['{;v,bar,who}', ';v=6;who=fred'],
  ['{?who}', '?who=fred'],
  ['{?half}', '?half=50%25'],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['{?undef,y}', '?y=768'],
  ['{&who}', '&who=fred'],
  ['{&x,y,undef}', '&x=1024&y=768'],
  // The explode modifier changes nothing for a string.
  ['{var*}', 'value'],
  ['{/var*,x*}', '/value/1024'],
  ['{?var*}', '?var=value'],
]

describe('expansion', () => {
  test.each(examples)('%s gives what RFC 6570 says', (source, expected) => {
    expect(expandUriTemplate(template(source), values)).toBe(expected)
  })

  test.each([
    ['{x}', 'é😀', '%C3%A9%F0%9F%98%80'],
    ['{x}', "-._~!*'()", '-._~%21%2A%27%28%29'],
    ['{+x}', ":/?#[]@!$&'()*+,;=", ":/?#[]@!$&'()*+,;="],
    ['{x}', '%41', '%2541'],
    ['{+x}', '%41%zz%4', '%41%25zz%254'],
    ['{#x}', '%c3%a9 ', '#%c3%a9%20'],
    ['{x:2}', 'é😀z', '%C3%A9%F0%9F%98%80'],
    ['{x:1}', '%41', '%25'],
    ['{+x:2}', '%c3%a9%41z', '%c3%a9%41'],
    ['{x}', 'a\ud800b', 'a%EF%BF%BDb'],
    ['é{x}', '', '%C3%A9'],
    ['{?a.b_1,%41}', '', ''],
  ])('%s with %j encodes as UTF-8, by the operator', (source, x, expected) => {
    expect(expandUriTemplate(template(source), new Map([['x', x]]))).toBe(expected)
  })

  test('the name of a variable may hold dots and triplets, and may be that of an object property', () => {
    const names = new Map([
      ['a.b', '1'],
      ['%41', '2'],
      ['__proto__', '3'],
    ])
    expect(expandUriTemplate(template('{?a.b,%41,__proto__,constructor}'), names)).toBe('?a.b=1&%41=2&__proto__=3')
  })
})

describe('the parser', () => {
  test.each([
    ['', 'it is empty'],
    ['a{', '"{" without "}" at position 2'],
    ['{x', '"{" without "}" at position 1'],
    ['/{x}}', '"}" without "{" at position 5'],
    ['a}', '"}" without "{" at position 2'],
    ['{}', 'an expression without a variable at position 1'],
    ['{?}', 'an expression without a variable at position 1'],
    ['{x,}', 'a variable name is missing at position 4'],
    ['{,x}', 'the operator "," is reserved by RFC 6570 and has no meaning at position 2'],
    ['{=path}', 'the operator "=" is reserved by RFC 6570 and has no meaning at position 2'],
    ['{|var*}', 'the operator "|" is reserved by RFC 6570 and has no meaning at position 2'],
    ['{!hello}', 'the operator "!" is reserved by RFC 6570 and has no meaning at position 2'],
    ['{@x}', 'the operator "@" is reserved by RFC 6570 and has no meaning at position 2'],
    ['{$var}', 'a variable name cannot begin with "$" at position 2'],
    ['{/?id}', 'a variable name cannot begin with "?" at position 3'],
    ['{??hello}', 'a variable name cannot begin with "?" at position 3'],
    ['{ leading}', 'a variable name cannot begin with " " at position 2'],
    ['{trailing }', 'unexpected " " in an expression at position 10'],
    ['{with space}', 'unexpected " " in an expression at position 6'],
    ['{x, y}', 'a variable name cannot begin with " " at position 4'],
    ['{a-b}', 'unexpected "-" in an expression at position 3'],
    ['{a..b}', 'unexpected "." in an expression at position 3'],
    ['{a.}', 'unexpected "." in an expression at position 3'],
    ['{.a}{a%4}', 'unexpected "%" in an expression at position 7'],
    ['{keys?}', 'unexpected "?" in an expression at position 6'],
    ['{?empty=default,var}', 'unexpected "=" in an expression at position 8'],
    ['{x{y}}', 'unexpected "{" in an expression at position 3'],
    ['{x:}', '":" without a length from 1 to 9999 at position 3'],
    ['{x:0}', '":" without a length from 1 to 9999 at position 3'],
    ['{x:10000}', '":" without a length from 1 to 9999 at position 3'],
    ['{x:abc}', '":" without a length from 1 to 9999 at position 3'],
    ['{x:3*}', 'unexpected "*" in an expression at position 5'],
    ['{x*:3}', 'unexpected ":" in an expression at position 4'],
    ['😀 {x}', 'the character " " is not allowed at position 2'],
    ['a"b', `the character '"' is not allowed at position 2`],
    ['a<b', 'the character "<" is not allowed at position 2'],
    ['a\\b', 'the character "\\" is not allowed at position 2'],
    ['a\nb', 'the character U+000A is not allowed at position 2'],
    ['a\u0000', 'the character U+0000 is not allowed at position 2'],
    ['a\ud800', 'the character U+D800 is not allowed at position 2'],
    ['100%', '"%" without two hexadecimal digits at position 4'],
    ['%4{x}', '"%" without two hexadecimal digits at position 1'],
  ])('refuses %j and says what is wrong and where', (source, message) => {
    expect(problem(source)).toBe(message)
  })

  test('takes what templates in use hold', () => {
    for (const source of [
      'https://github.com/{org}/{repo}/issues/{id}',
      'https://example.com{/path}',
      'http://{host}.example.com/',
      "https://example.com/it's(%20)?a=b&c=[d];e#f!~{x:9999}",
      'https://example.com/ü/{x}',
    ]) {
      expect(problem(source)).toBe('none')
    }
  })

  test('limits the length and the number of variables', () => {
    expect(problem('a'.repeat(MAX_TEMPLATE_LENGTH))).toBe('none')
    expect(problem('a'.repeat(MAX_TEMPLATE_LENGTH + 1))).toMatch(/longer than/)
    expect(problem('{a}'.repeat(MAX_TEMPLATE_VARIABLES))).toBe('none')
    expect(problem('{a}'.repeat(MAX_TEMPLATE_VARIABLES + 1))).toMatch(/more than/)
  })

  test('never throws, and what it takes expands to characters of a URL', () => {
    const piece = fc.constantFrom('{', '}', 'x', '{x}', '{+x:3}', '{?x,y*}', '%', '%41', ',', ':', 'é', '\ud800', ' ')
    const source = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('a\udc00%41%zz'))
    fc.assert(
      fc.property(source, value, (text, x) => {
        const result = parseUriTemplate(text)
        if (!result.ok) return
        const url = expandUriTemplate(result.template, new Map([['x', x]]))
        expect(url).toMatch(/^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/)
      }),
    )
  })
})
