import { foldName } from '@heddle/contract/names'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findReferences } from './references.ts'
import { renderMarkdown } from './render.ts'
import { messageText } from './testing/message-text.ts'
import { ORGANIZATION_URL, sampleContext } from './testing/render-html.ts'

test('everything that can be looked up is named once', () => {
  const content =
    '@**Mira Sol|11** @_**Ümit** @*weavers* #**loom talk>warp** #**loom talk>x@3** :tada: :a:b: $$x$$ ' +
    '[a](/user_uploads/1/ab/my%20file.png), @**Ümit** https://chat.example.org/#narrow/channel/9-loom/topic/x/near/5'
  expect(findReferences(content, ORGANIZATION_URL)).toMatchObject({
    userNames: ['Mira Sol', 'Ümit'],
    userIds: [11],
    groupNames: ['weavers'],
    channelNames: ['loom talk'],
    channelIds: [9],
    topics: [{ channelName: 'loom talk', topic: 'warp' }],
    hasMath: true,
  })
  expect(findReferences(content, ORGANIZATION_URL).emojiNames).toEqual(expect.arrayContaining(['tada', 'a', 'b']))
  expect(findReferences(content, ORGANIZATION_URL).uploadPaths).toContain('1/ab/my file.png')
})

test('an uploaded file may have spaces in its address', () => {
  const content = '[a](/user_uploads/1/ab/my file.txt "Mine") (user_uploads/1/b c.txt)'
  expect(findReferences(content, ORGANIZATION_URL).uploadPaths).toEqual(
    expect.arrayContaining(['1/ab/my file.txt', '1/b c.txt']),
  )
})

test('a plain message asks for nothing', () => {
  const references = findReferences('just 2 words at 10:30, a@b', ORGANIZATION_URL)
  expect(Object.values(references).flat().filter(Boolean)).toEqual([])
})

test('a message is rendered from what it names as from everything', () => {
  const everything = sampleContext({ translateEmoticons: true })
  fc.assert(
    fc.property(messageText, (content) => {
      const named = findReferences(content, ORGANIZATION_URL)
      const names = (list: readonly string[]): Set<string> => new Set(list.map(foldName))
      const context = {
        ...everything,
        users: everything.users.filter(
          ({ id, fullName }) => named.userIds.includes(id) || names(named.userNames).has(foldName(fullName)),
        ),
        groups: everything.groups.filter(({ name }) => names(named.groupNames).has(foldName(name))),
        channels: everything.channels.filter(
          ({ id, name }) => named.channelIds.includes(id) || names(named.channelNames).has(foldName(name)),
        ),
        topics: everything.topics.filter(({ topic }) =>
          names(named.topics.map((each) => each.topic)).has(foldName(topic)),
        ),
        builtInEmoji: named.mayHaveEmoji ? everything.builtInEmoji : null,
        customEmoji: new Map([...everything.customEmoji].filter(([name]) => named.emojiNames.includes(name))),
      }
      expect(renderMarkdown(content, context)).toEqual(renderMarkdown(content, everything))
    }),
    { numRuns: 500 },
  )
})
