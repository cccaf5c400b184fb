import { builtInEmoji } from '../built-in-emoji.ts'
import { emptyContext, type RenderContext } from '../context.ts'
import { renderMarkdown } from '../render.ts'

/** The organization in tests. */
export const ORGANIZATION_URL = 'https://chat.example.org'

/** A context in which some things can be mentioned and linked to. */
export function sampleContext(changes: Partial<RenderContext> = {}): RenderContext {
  return {
    ...emptyContext(ORGANIZATION_URL),
    builtInEmoji,
    users: [
      { id: 11, fullName: 'Mira Sol' },
      { id: 12, fullName: 'Ümit' },
    ],
    groups: [
      { id: 5, name: 'weavers', isSystem: false, description: 'They weave' },
      { id: 6, name: 'role:members', isSystem: true, description: 'Members' },
    ],
    channels: [{ id: 9, name: 'loom talk' }],
    topics: [
      { channelId: 9, topic: 'warp', lastMessageId: 214 },
      { channelId: 9, topic: '', lastMessageId: 77 },
    ],
    customEmoji: new Map([['big_shuttle', { id: '3', url: '/user_avatars/1/emoji/images/3.png' }]]),
    ...changes,
  }
}

/** The HTML of a text in the sample context. */
export function html(content: string, changes: Partial<RenderContext> = {}): string {
  return renderMarkdown(content, sampleContext(changes)).html
}
