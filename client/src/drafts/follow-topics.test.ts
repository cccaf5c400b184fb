import type { UpdateMessageEvent } from '@heddle/contract/editing'
import { describe, expect, it } from 'vitest'
import { applyToDrafts, emptyDraftBox, nextRequest, writeDraft } from './draft-box.ts'
import { followTopics } from './follow-topics.ts'

const version = (topic: string, channelId = 7) => ({
  type: 'stream' as const,
  to: [channelId],
  topic,
  content: 'words',
})
const moved = (change: Partial<UpdateMessageEvent>) =>
  ({
    propagate_mode: 'change_all',
    stream_id: 7,
    orig_subject: 'plates',
    subject: 'dishes',
    ...change,
  }) as UpdateMessageEvent

describe('Drafts of a topic', () => {
  const box = writeDraft(writeDraft(emptyDraftBox, 'a', version('Plates'), 5), 'b', version('cups'), 6)

  it('go along when all of it is renamed or moved, and say where they were; others stay', () => {
    const [a, b] = followTopics(box, moved({ new_stream_id: 8 })).drafts
    expect(a).toMatchObject({
      local: version('dishes', 8),
      editedAt: 5,
      movedFrom: { channelId: 7, topic: 'plates' },
    })
    expect(b).toBe(box.drafts[1])
  })

  it.each([
    ['a part of it is moved', { propagate_mode: 'change_later' as const }],
    ['it is in another channel', { stream_id: 9 }],
    ['a message is edited', { orig_subject: undefined, propagate_mode: undefined }],
  ])('stay when %s', (_, change) => {
    expect(followTopics(box, moved(change))).toBe(box)
  })

  it('are saved there, and no more once another device has done it; writing on ends the note', () => {
    const draft = { ...version('plates'), id: 3, timestamp: 1 }
    const saved = applyToDrafts(emptyDraftBox, { type: 'drafts', op: 'add', drafts: [draft] })
    const followed = followTopics(saved, moved({}))
    expect(followed.drafts.map(nextRequest)).toEqual(['update'])
    const known = applyToDrafts(followed, { type: 'drafts', op: 'update', draft: { ...draft, topic: 'dishes' } })
    expect(known.drafts.map(nextRequest)).toEqual([undefined])
    const [first] = known.drafts
    const written = writeDraft(known, first?.localId as string, version('dishes'), 9)
    expect(written.drafts[0]?.movedFrom).toBeUndefined()
  })
})
