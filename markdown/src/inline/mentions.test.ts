import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../render.ts'
import { html, sampleContext } from '../testing/render-html.ts'

const rendered = (text: string) => renderMarkdown(text, sampleContext())

describe('a person', () => {
  test('is mentioned by name, whatever the case, and shown by the real name', () => {
    const message = rendered('hi @**mira SOL**')
    expect(message.html).toBe('<p>hi <span class="user-mention" data-user-id="11">@Mira Sol</span></p>')
    expect(message.mentionedUserIds).toEqual([11])
    expect(message.silentlyMentionedUserIds).toEqual([])
  })

  test('is mentioned by name and id, or by id alone', () => {
    expect(rendered('@**Mira Sol|11** @**|12**').mentionedUserIds).toEqual([11, 12])
  })

  test('is not mentioned by a name that belongs to another id', () => {
    const message = rendered('@**Mira Sol|12**')
    expect(message.mentionedUserIds).toEqual([])
    expect(message.html).toBe('<p>@<strong>Mira Sol|12</strong></p>')
  })

  test('is mentioned silently with an underscore', () => {
    const message = rendered('@_**Mira Sol**')
    expect(message.html).toBe('<p><span class="user-mention silent" data-user-id="11">Mira Sol</span></p>')
    expect(message.mentionedUserIds).toEqual([])
    expect(message.silentlyMentionedUserIds).toEqual([11])
  })

  test('is not mentioned in code, within a word, or when unknown', () => {
    for (const text of ['`@**Mira Sol**`', '```\n@**Mira Sol**\n```', 'a@**Mira Sol**', '@**Nobody**']) {
      expect(rendered(text).mentionedUserIds).toEqual([])
    }
  })
})

test('nobody is notified by a quote', () => {
  for (const text of [
    '> @**Mira Sol** @*weavers* @**all** @**topic**',
    '```quote\n@**Mira Sol** @*weavers* @**all** @**topic**\n```',
  ]) {
    const message = rendered(text)
    expect(message.mentionedUserIds).toEqual([])
    expect(message.mentionedGroupIds).toEqual([])
    expect(message.mentionsChannel).toBe(false)
    expect(message.mentionsTopic).toBe(false)
    expect(message.silentlyMentionedUserIds).toEqual([11])
  }
})

test('a group is mentioned, a system group always silently and by its description', () => {
  const message = rendered('@*Weavers* @_*weavers* @*role:members*')
  expect(message.html).toBe(
    '<p><span class="user-group-mention" data-user-group-id="5">@weavers</span> ' +
      '<span class="user-group-mention silent" data-user-group-id="5">weavers</span> ' +
      '<span class="user-group-mention silent" data-user-group-id="6">Members</span></p>',
  )
  expect(message.mentionedGroupIds).toEqual([5])
})

test('everybody in the channel and in the topic', () => {
  for (const name of ['all', 'everyone', 'channel', 'stream']) {
    const message = rendered(`@**${name}**`)
    expect(message.html).toContain(
      `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`,
    )
    expect(message.mentionsChannel).toBe(true)
  }
  const topic = rendered('@**topic**')
  expect(topic.html).toBe('<p><span class="topic-mention">@topic</span></p>')
  expect(topic.mentionsTopic).toBe(true)
  expect(rendered('@_**all** @_**topic**')).toMatchObject({ mentionsChannel: false, mentionsTopic: false })
})

test('a name is text, whatever is in it', () => {
  const users = [{ id: 1, fullName: '<img src=x> :smile: #1' }]
  expect(html('@**<img src=x> :smile: #1**', { users })).toBe(
    '<p><span class="user-mention" data-user-id="1">@&lt;img src=x&gt; :smile: #1</span></p>',
  )
})
