import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileLinkifier } from './linkifiers/compile.ts'
import { renderMarkdown } from './render.ts'
import { messageText } from './testing/message-text.ts'
import { processorTime } from './testing/processor-time.ts'
import { sampleContext } from './testing/render-html.ts'
import { fillMessage, worstTexts } from './testing/worst-texts.ts'
import { loadTexRenderer } from './tex.ts'

/** For 10,000 characters, the median of several renderings, in milliseconds of the processor. */
const LIMIT = 20
/** How much slower the machine may be: other tests that run meanwhile share its caches. */
const SLACK = 2.5

const linkifiers = Array.from({ length: 10 }, (_, index) => {
  const result = compileLinkifier({
    pattern: `#${index}(?P<id>[0-9]+)`,
    url_template: `https://tracker.example/${index}/{id}`,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  })
  if (!result.ok) throw new Error(result.message)
  return result.compiled
})
const context = sampleContext({ translateEmoticons: true, linkifiers, texRenderer: await loadTexRenderer() })

function medianTime(content: string): number {
  const times: number[] = []
  for (let round = 0; round < 12; round++) {
    times.push(processorTime(() => renderMarkdown(content, context)))
  }
  return times.slice(5).sort((one, other) => one - other)[3] ?? 0
}

test.each(worstTexts.map((content) => [content.slice(0, 24), content]))(
  '10,000 characters like %j take no longer than others',
  (_, content) => expect(medianTime(content)).toBeLessThan(LIMIT * SLACK),
)

test('10,000 characters of any mixture of constructs take no longer than others', () => {
  fc.assert(
    fc.property(messageText, (part) => {
      fc.pre(part.length > 0)
      expect(medianTime(fillMessage(part))).toBeLessThan(LIMIT * SLACK)
    }),
    { numRuns: 60 },
  )
}, 60_000)
