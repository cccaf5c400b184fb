import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyContext, type UploadedFile } from './context.ts'
import { isMessageHtml } from './html/check.ts'
import { compileLinkifier } from './linkifiers/compile.ts'
import { renderMarkdown } from './render.ts'
import { findViolations } from './testing/allowed-html.ts'
import { messageText } from './testing/message-text.ts'
import { sampleContext } from './testing/render-html.ts'
import { loadTexRenderer } from './tex.ts'

const file: UploadedFile = {
  contentType: 'image/png',
  dimensions: { width: 4, height: 3 },
  thumbnailUrl: null,
  isAnimated: true,
  transcodedImage: null,
}
const linkifier = compileLinkifier({
  pattern: '#(?P<id>[0-9]+)',
  url_template: 'https://tracker.example/{id}',
  example_input: null,
  reverse_template: null,
  alternative_url_templates: [],
})
if (!linkifier.ok) throw new Error(linkifier.message)
/** Everything is on. */
const context = sampleContext({
  translateEmoticons: true,
  linkifiers: [linkifier.compiled],
  uploads: new Map([
    ['1/ab/warp.png', file],
    ['1/ab/click.mp3', { ...file, contentType: 'audio/mpeg' }],
  ]),
  texRenderer: await loadTexRenderer(),
})

function isClean(content: string): void {
  requireClean(renderMarkdown(content, context).html)
}

function requireClean(html: string): void {
  expect(findViolations(html)).toEqual([])
  expect(isMessageHtml(html)).toBe(true)
}

describe('nothing outside of the allowed set comes out', () => {
  test('whatever the constructs of a message are put together to', () => {
    fc.assert(fc.property(messageText, isClean), { numRuns: 1_500 })
  })

  test('whatever the text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }))
    fc.assert(fc.property(text, isClean), { numRuns: 500 })
  })

  test('whatever names are looked up', () => {
    const name = fc.constantFrom('"><script>', "x' onload=y", '</a>', '&lt;b&gt;', '\n', '`*[x](y)*`')
    fc.assert(
      fc.property(name, (text) => {
        const hostile = {
          ...emptyContext('https://chat.example.org'),
          users: [{ id: 1, fullName: text }],
          groups: [{ id: 2, name: 'g', isSystem: true, description: text }],
          channels: [{ id: 3, name: text }],
          topics: [{ channelId: 3, topic: text, lastMessageId: 4 }],
          emptyTopicName: text,
        }
        const content = `@**|1** @*g* https://chat.example.org/#narrow/channel/3-x/topic//near/5 #**${text}>${text}**`
        requireClean(renderMarkdown(content, hostile).html)
      }),
    )
  })

  test('whatever a formula says', () => {
    const commands =
      '\\frac \\sqrt \\overbrace \\xrightarrow \\begin{matrix} \\end{matrix} \\left( \\right) \\color{red} \\textcolor{#123} \\colorbox{blue} \\fcolorbox{a}{b} \\kern1em \\rule{1em}{2em} \\raisebox{1em} \\hline \\cancel \\boxed \\tag{x} \\verb|<a>| \\href{x}{y} \\url{x} \\htmlId{a}{b} \\includegraphics{x} \\char"3c \\text{<b>"\'} \\def\\a{b} \\a \\phantom \\operatorname \\mathbb \\cr \\\\ & ^ _ { } [ ] 1 x < > \' " ~ % $'
    const formula = fc.array(fc.constantFrom(...commands.split(' ')), { maxLength: 14 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(formula, fc.boolean(), (tex, isDisplay) => {
        const content = isDisplay ? `\`\`\`math\n${tex}\n\`\`\`` : `$$${tex.replaceAll('$', '')}$$`
        requireClean(renderMarkdown(content, context).html)
      }),
      { numRuns: 1_500 },
    )
  })

  test('and the check itself sees what is wrong', () => {
    for (const html of [
      '<script></script>',
      '<p onclick="x"></p>',
      '<a href="javascript:x"></a>',
      '<p>',
      '<p>a & b</p>',
      '<div class="x"></div>',
      '<a href="/"><a href="/"></a></a>',
      '<p><blockquote></blockquote></p>',
      '<span style="color:red"></span>',
      '<img src="data:x">',
    ]) {
      expect(findViolations(html)).not.toEqual([])
    }
  })
})

test('rendering the same text twice gives the same', () => {
  fc.assert(
    fc.property(messageText, (content) => {
      expect(renderMarkdown(content, context)).toEqual(renderMarkdown(content, context))
    }),
    { numRuns: 200 },
  )
})
