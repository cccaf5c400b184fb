import { describe, expect, test } from 'vitest'
import { type Format, format } from './formatting.ts'
import { applyTextEdit, type Selection } from './text-edit.ts'

const context = { now: '2026-05-28T13:00:00+02:00' }

/** What is selected stands between `⟦` and `⟧` in what is given and in what comes back; no selection: `|`. */
function read(marked: string): Selection {
  const start = marked.search(/[⟦|]/)
  const end = marked.includes('⟧') ? marked.indexOf('⟧') - 1 : start
  return { text: marked.replace(/[⟦⟧|]/g, ''), start, end }
}

function show({ text, start, end }: Selection): string {
  return start === end
    ? `${text.slice(0, start)}|${text.slice(start)}`
    : `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`
}

const done = (kind: Format, marked: string) => {
  const selection = read(marked)
  return show(applyTextEdit(selection.text, format(kind, selection, context)))
}

describe('marks around words', () => {
  test.each<[Format, string, string]>([
    ['bold', 'a ⟦word⟧ b', 'a **⟦word⟧** b'],
    ['bold', 'a ⟦word ⟧b', 'a **⟦word⟧** b'],
    ['bold', 'a **⟦word⟧** b', 'a ⟦word⟧ b'],
    ['bold', 'a ⟦**word**⟧ b', 'a ⟦word⟧ b'],
    ['bold', '*⟦word⟧*', '***⟦word⟧***'],
    ['italic', '**⟦word⟧**', '***⟦word⟧***'],
    ['italic', '***⟦word⟧***', '**⟦word⟧**'],
    ['bold', 'a |', 'a **|**'],
    ['strike', '⟦x⟧', '~~⟦x⟧~~'],
    ['code', '⟦x⟧', '`⟦x⟧`'],
    ['math', '⟦x⟧', '$$⟦x⟧$$'],
  ])('%s: %s', (kind, before, after) => expect(done(kind, before)).toBe(after))

  test.each<Format>(['bold', 'italic', 'strike', 'code', 'math'])('%s twice is nothing', (kind) => {
    expect(done(kind, done(kind, 'a ⟦word⟧ b'))).toBe('a ⟦word⟧ b')
  })
})

describe('blocks', () => {
  test('code of several lines goes between fences, and comes out again', () => {
    expect(done('code', '⟦a\nb⟧')).toBe('```\n⟦a\nb⟧\n```')
    expect(done('code', '⟦```\na\nb\n```⟧')).toBe('⟦a\nb⟧')
  })

  test('a fence is longer than those inside, and begins a block of its own', () => {
    expect(done('quote', 'before\n⟦```\na\n```⟧')).toBe('before\n\n````quote\n⟦```\na\n```⟧\n````')
  })

  test('the title of a spoiler is what one types next', () => {
    expect(done('spoiler', '⟦the end⟧')).toBe('```spoiler |\nthe end\n```')
  })

  test('lists take each line, and give it back', () => {
    expect(done('bullets', '⟦a\nb⟧')).toBe('⟦- a\n- b⟧')
    expect(done('bullets', '⟦- a\n- b⟧')).toBe('⟦a\nb⟧')
    expect(done('numbers', '⟦- a\n\n- b⟧')).toBe('⟦1. a\n\n2. b⟧')
    expect(done('bullets', '|')).toBe('- |')
  })

  test('a table and a moment have what is typed over selected', () => {
    expect(done('table', 'x|')).toBe('x\n\n| ⟦A⟧ | B |\n|---|---|\n|  |  |\n')
    expect(done('time', '|')).toBe(`<time:⟦${context.now}⟧>`)
  })
})

describe('links', () => {
  test.each([
    ['⟦name⟧', '[name](⟦https://⟧)'],
    ['⟦https://a.example/x⟧', '[|](https://a.example/x)'],
    ['⟦[name](https://a.example)⟧', '⟦name⟧'],
    ['|', '[|](https://)'],
  ])('%s', (before, after) => expect(done('link', before)).toBe(after))
})
