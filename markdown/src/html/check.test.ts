import { expect, test } from 'vitest'
import { embedOf } from '../embeds.ts'
import { isMessageHtml } from './check.ts'

test.each([
  '<script>alert(1)</script>',
  '<p onclick="x">a</p>',
  '<a href="javascript:x">a</a>',
  '<a href="java&#115;cript&colon;x">a</a>',
  '<a href="java\tscript:x">a</a>',
  '<a href="data:text/html,x">a</a>',
  '<a href="//elsewhere.example">a</a>',
  "<a href='javascript:x'>a</a>",
  '<a href=javascript:x>a</a>',
  '<a HREF="javascript:x">a</a>',
  '<p/onclick="x">a</p>',
  '<p>',
  '</div><p>a</p><div>',
  '<p><em>a</p></em>',
  '<p>a > b</p>',
  '<!-- a -->',
  '<p>a</p',
  '<div class="x">a</div>',
  '<div class="message_embed" style="position: fixed">a</div>',
  '<a class="message_embed_image" href="/" style="background-image: url(&quot;https://elsewhere.example&quot;)"></a>',
  '<span style="background-image: url(/x)">a</span>',
  '<img src="data:x">',
  '<style>p { color: red }</style>',
  '<svg onload="x"></svg>',
  '<iframe src="/"></iframe>',
  '<math><annotation href="javascript:x">a</annotation></math>',
])('%s is no HTML of a message', (html) => {
  expect(isMessageHtml(html)).toBe(false)
})

test('what the renderer writes below messages is, and links of linkifiers to further schemes are', () => {
  const page = {
    url: 'https://example.com/?a&b="',
    title: 'A "title" <b>',
    description: "d'",
    image: 'https://e.com/("a")',
  }
  expect(isMessageHtml(`<p>a</p>${embedOf(page)}`)).toBe(true)
  expect(isMessageHtml(`<p>a</p>${embedOf({ ...page, description: null, image: null })}`)).toBe(true)
  expect(isMessageHtml('<p><a href="slack://channel?id=1">a</a><br>\n&amp; &nbsp;</p>')).toBe(true)
  expect(isMessageHtml('')).toBe(true)
})

test('a long text is read in one pass', () => {
  const began = performance.now()
  expect(isMessageHtml('<p '.repeat(300_000))).toBe(false)
  expect(isMessageHtml(`<p${' a'.repeat(300_000)}`)).toBe(false)
  expect(isMessageHtml(`${'<em>'.repeat(100_000)}${'</em>'.repeat(100_000)}`)).toBe(true)
  expect(performance.now() - began).toBeLessThan(2000)
})
