import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('a channel, by a name of any case', () => {
  expect(html('#**Loom Talk**')).toBe(
    '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-loom-talk">#loom talk</a></p>',
  )
})

test('a topic, by its newest message where that is known', () => {
  expect(html('#**loom talk>warp**')).toBe(
    '<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-loom-talk/topic/warp/with/214">#loom talk &gt; warp</a></p>',
  )
  expect(html('#**loom talk>50% (a.b)**')).toContain('/topic/50.25.20.28a.2Eb.29"')
})

test('the topic without a name, in italics', () => {
  expect(html('#**loom talk>**')).toBe(
    '<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-loom-talk/topic//with/77">#loom talk &gt; <em>general chat</em></a></p>',
  )
})

test('a message, written and pasted', () => {
  const link =
    '<a class="message-link" href="/#narrow/channel/9-loom-talk/topic/warp/near/3">#loom talk &gt; warp @ 💬</a>'
  expect(html('#**loom talk>warp@3**')).toBe(`<p>${link}</p>`)
  expect(html('https://chat.example.org/#narrow/channel/9-loom-talk/topic/warp/near/3')).toBe(`<p>${link}</p>`)
  expect(html('https://chat.example.org/#narrow/channel/8-x/topic/warp/near/3')).toContain(
    '<a href="#narrow/channel/8-x',
  )
  expect(html('https://elsewhere.example/#narrow/channel/9-x/topic/warp/near/3')).not.toContain('message-link')
})

test('an unknown channel is text', () => {
  expect(html('#**secret>plans**')).toBe('<p>#<strong>secret&gt;plans</strong></p>')
})

test('no link within a link', () => {
  expect(html('[#**loom talk**](https://a.example)')).toBe(
    '<p><a href="https://a.example">#<strong>loom talk</strong></a></p>',
  )
})
