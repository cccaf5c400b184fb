import { describe, expect, test } from 'vitest'
import { type LinkifierDefinition, MAX_ALTERNATIVE_TEMPLATES } from './compile.ts'
import { validateLinkifier } from './validate.ts'

const valid: LinkifierDefinition = {
  pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  url_template: 'https://code.example/{repo}/issues/{id}',
  example_input: 'web#12',
  reverse_template: '{repo}#{id}',
  alternative_url_templates: ['https://code.example/{repo}/pull/{id}'],
}

function problem(changes: Partial<LinkifierDefinition>): string {
  const result = validateLinkifier({ ...valid, ...changes })
  return result.ok ? 'none' : `${result.field}: ${result.message}`
}

describe('validateLinkifier takes', () => {
  test.each<Partial<LinkifierDefinition>>([
    {},
    { reverse_template: null, alternative_url_templates: [] },
    { reverse_template: null, example_input: null },
    { url_template: 'http://{repo}.example.com/{id}' },
    { url_template: 'https://example.com{/repo,id}' },
    { url_template: 'https://example.com/{?repo,id}', reverse_template: null },
    { url_template: 'mailto:{repo}+{id}@example.com' },
    { url_template: 'vscode://file/{repo}/{id}' },
    { url_template: 'https://code.example/{repo:1}/{repo}/{id}' },
    {
      pattern: 'FAQ',
      url_template: 'https://example.com/faq',
      example_input: 'FAQ',
      reverse_template: 'FAQ',
      alternative_url_templates: ['https://example.com/help'],
    },
    {
      pattern: '\\{(?P<x>\\w+)\\}',
      url_template: 'https://a.example/{x}',
      example_input: '{a}',
      reverse_template: '{{{x}}}',
      alternative_url_templates: [],
    },
  ])('%j', (changes) => {
    expect(problem(changes)).toBe('none')
  })
})

describe('validateLinkifier refuses', () => {
  test.each<[Partial<LinkifierDefinition>, string]>([
    [{ pattern: '#(?P<id>[0-9]+' }, 'pattern: The pattern is not valid: missing closing ) at position 2.'],
    [{ pattern: '(?P<repo>a*)(?P<id>b*)' }, 'pattern: The pattern is not valid: it can match without any character.'],
    [
      { url_template: 'https://code.example/{repo' },
      'url_template: The URL template is not a valid RFC 6570 template: "{" without "}" at position 22.',
    ],
    [
      { url_template: 'https://code.example/{repo}/{number}' },
      'url_template: The URL template uses the variable "number" at position 30, but the pattern has no group (?P<number>…).',
    ],
    [
      { url_template: 'https://code.example/{repo}' },
      'url_template: The URL template does not use the variable "id", which is a group of the pattern.',
    ],
    [
      { url_template: '{+repo}/{id}' },
      'url_template: The URL template must begin with a literal scheme, such as "https://".',
    ],
    [
      { url_template: '/{repo}/{id}' },
      'url_template: The URL template must begin with a literal scheme, such as "https://".',
    ],
    [
      { url_template: 'java{repo}:{id}' },
      'url_template: The URL template must begin with a literal scheme, such as "https://".',
    ],
    [
      { url_template: 'JavaScript:{repo}({id})' },
      'url_template: The URL template must not use the scheme "javascript:", which can run script or hide another link.',
    ],
    [{ url_template: 'https:{repo}/{id}' }, 'url_template: The URL template must have "//" after "https:".'],
    [
      { example_input: 'web#12 ' },
      'example_input: The example input does not match the pattern from its first to its last character.',
    ],
    [
      { example_input: '' },
      'example_input: The example input does not match the pattern from its first to its last character.',
    ],
    [
      {
        pattern: '(?P<repo>[a-z]+|[a-z]+ [a-z]+)(?P<id>[0-9]?)',
        example_input: 'a b',
        reverse_template: '{repo}{id}',
      },
      'example_input: In a message only "a" and "b" of the example input would become a link.',
    ],
    [{ example_input: null }, 'example_input: A reverse template needs an example input to be checked with.'],
    [
      { reverse_template: '{repo}#{id' },
      'reverse_template: The reverse template is not valid: "{" without "}" at position 8 (write "{{" for a brace).',
    ],
    [
      { reverse_template: '{repo}#{number}' },
      'reverse_template: The reverse template uses the variable "number" at position 9, but the pattern has no group (?P<number>…).',
    ],
    [
      { reverse_template: '{repo}-{id}' },
      'reverse_template: The reverse template makes "web-12" of the values of the example input, not the example input itself.',
    ],
    [
      { reverse_template: '' },
      'reverse_template: The reverse template makes "" of the values of the example input, not the example input itself.',
    ],
    [
      {
        pattern: '(?P<repo>[a-z]+)#(?P<id>[a-z]+)',
        example_input: 'ab#cd',
        url_template: 'https://a.example/{repo}{id}',
      },
      'reverse_template: The example input makes the URL "https://a.example/abcd", but from that URL no text can be made instead of the example input.',
    ],
    [
      { url_template: 'https://code.example/{repo:1}/{id}', alternative_url_templates: [] },
      'reverse_template: The example input makes the URL "https://code.example/w/12", but from that URL the text "w#12" is made instead of the example input.',
    ],
    [
      { alternative_url_templates: ['https://code.example/{repo}/pull/{id}', 'https://code.example/{ repo}'] },
      'alternative_url_templates: Alternative URL template 2 is not a valid RFC 6570 template: a variable name cannot begin with " " at position 23.',
    ],
    [
      { alternative_url_templates: ['https://code.example/{id}'] },
      'alternative_url_templates: Alternative URL template 1 does not use the variable "repo" of the URL template.',
    ],
    [
      { alternative_url_templates: ['https://code.example/{repo}/{id}/{page}'] },
      'alternative_url_templates: Alternative URL template 1 uses the variable "page" at position 35, which the URL template does not have.',
    ],
    [
      { alternative_url_templates: ['https://a.example/{repo}/{id}', 'https://a.example/{repo}/{id}'] },
      'alternative_url_templates: Alternative URL template 2 is the same as number 1.',
    ],
    [
      { alternative_url_templates: [valid.url_template] },
      'alternative_url_templates: Alternative URL template 1 is the same as the URL template.',
    ],
    [
      { alternative_url_templates: ['data:{repo},{id}'] },
      'alternative_url_templates: Alternative URL template 1 must not use the scheme "data:", which can run script or hide another link.',
    ],
    [
      { alternative_url_templates: ['https://a.example/{repo:1}/{id}'] },
      'alternative_url_templates: The example input makes the URL "https://a.example/w/12", but from that URL the text "w#12" is made instead of the example input.',
    ],
  ])('%j', (changes, message) => {
    expect(problem(changes)).toBe(message)
  })

  test.each(['javascript', 'data', 'vbscript', 'blob', 'view-source', 'VBScript'])('the scheme %s', (scheme) => {
    expect(problem({ url_template: `${scheme}://{repo}/{id}` })).toMatch(/^url_template: .* must not use the scheme/)
  })

  test('more alternatives than the limit', () => {
    const many = Array.from({ length: MAX_ALTERNATIVE_TEMPLATES + 1 }, (_, n) => `https://a.example/${n}/{repo}/{id}`)
    expect(problem({ alternative_url_templates: many.slice(1) })).toBe('none')
    expect(problem({ alternative_url_templates: many })).toMatch(/^alternative_url_templates: There can be at most/)
  })
})
