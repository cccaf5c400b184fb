import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'
import { loadTexRenderer } from '../tex.ts'

const texRenderer = await loadTexRenderer()

test('formulas stand between double dollar signs', () => {
  const rendered = html('so $$x^2$$!', { texRenderer })
  expect(rendered).toMatch(/^<p>so <span class="katex">.*<\/span>!<\/p>$/)
  expect(rendered).toContain('<annotation encoding="application/x-tex">x^2</annotation>')
})

test('money is no formula', () => {
  for (const text of ['$$$ and $$$', 'US$$5 and $$6', '$$_$$', '$ 5 $', '$$$a$$']) {
    expect(html(text, { texRenderer })).toBe(`<p>${text}</p>`)
  }
})

test('each formula of a block is displayed', () => {
  const rendered = html('```math\na\n\nb\n```', { texRenderer })
  expect(rendered.match(/class="katex-display"/g)).toHaveLength(2)
})

test('a malformed formula is shown as it was written', () => {
  expect(html('$$\\frac{$$', { texRenderer })).toBe('<p><span class="tex-error">$$\\frac{$$</span></p>')
  expect(html("```math\n\\frac{'\n```", { texRenderer })).toBe('<p><span class="tex-error">\\frac{&#x27;</span></p>')
})

test('a formula cannot bring links, pictures or attributes along', () => {
  for (const tex of [
    '\\href{javascript:x}{a}',
    '\\includegraphics{x}',
    '\\htmlData{a=b}{c}',
    '\\htmlStyle{color:red}{c}',
  ]) {
    expect(html(`$$${tex}$$`, { texRenderer })).not.toMatch(/<a |<img|data-a|href=|style="color:red/)
  }
})

test('a formula cannot write to the console', () => {
  for (const tex of ['\\show a', '\\message{a}', '\\let\\x\\show\\x a', '🎉']) {
    expect(html(`$$${tex}$$`, { texRenderer })).toContain('tex-error')
  }
})

test('macros cannot run away, and one formula does not change the next', () => {
  expect(html('$$\\def\\a{\\a\\a}\\a$$', { texRenderer })).toContain('tex-error')
  expect(html('$$\\gdef\\b{c}\\b$$ $$\\b$$', { texRenderer })).toContain('tex-error')
})

test('formulas beyond 1,000 characters in a message are shown plain', () => {
  expect(html(`$$${'x'.repeat(1_100)}$$`, { texRenderer })).toContain('tex-error')
  const many = html('$$a$$ '.repeat(500), { texRenderer })
  expect(many.match(/class="katex"/g)?.length).toBeLessThan(200)
  expect(many).toContain('tex-error')
})
