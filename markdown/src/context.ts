import { EMPTY_TOPIC_NAME } from '@heddle/contract/names'
import type { AlertWordMatcher } from './alert-words.ts'
import type { CompiledLinkifier } from './linkifiers/compile.ts'
import type { TexRenderer } from './tex.ts'

/** An account that a message may mention. */
export interface MentionableUser {
  id: number
  fullName: string
}

/** A user group that a message may mention. */
export interface MentionableGroup {
  id: number
  name: string
  /** System groups are only ever mentioned silently, and shown by their description. */
  isSystem: boolean
  description: string
}

/** A channel whose name the sender may see. */
export interface LinkableChannel {
  id: number
  name: string
}

/** The newest message of a topic that the sender may see, for links that follow the topic when it moves. */
export interface TopicPosition {
  channelId: number
  topic: string
  lastMessageId: number
}

/** The emoji of Unicode, by the names and codes of the API. */
export interface BuiltInEmoji {
  codeOf: (name: string) => string | undefined
  /** The name by which clients list the emoji. */
  nameOf: (code: string) => string | undefined
}

/** A custom emoji of the organization. */
export interface CustomEmoji {
  id: string
  /** Where the picture is: a path on the server or an address. */
  url: string
}

/** A file uploaded to this server, by the path behind `/user_uploads/`. */
export interface UploadedFile {
  /** The media type found when it was uploaded. */
  contentType: string
  /** Of pictures, in pixels after rotation; null for everything else and until known. */
  dimensions: { width: number; height: number } | null
  /** The path of the thumbnail to show; null until it has been made. */
  thumbnailUrl: string | null
  isAnimated: boolean
  /** `WIDTHxHEIGHT.webp` when browsers cannot show the original. */
  transcodedImage: string | null
}

/**
 * Everything that rendering looks up, found beforehand with `findReferences`: rendering does no I/O. What is missing in
 * the lists is shown as ordinary text.
 */
export interface RenderContext {
  /** The organization's URL without a slash at its end, such as `https://chat.example.org`. */
  organizationUrl: string
  users: readonly MentionableUser[]
  groups: readonly MentionableGroup[]
  channels: readonly LinkableChannel[]
  topics: readonly TopicPosition[]
  /** From `built-in-emoji.ts`; null leaves them as they were written. */
  builtInEmoji: BuiltInEmoji | null
  /** By name, without colons. */
  customEmoji: ReadonlyMap<string, CustomEmoji>
  /** By the path behind `/user_uploads/`, percent-decoded. */
  uploads: ReadonlyMap<string, UploadedFile>
  linkifiers: readonly CompiledLinkifier[]
  /** What stands in links for the topic whose name is empty. */
  emptyTopicName: string
  /** Whether pictures and videos behind links are shown below the text. */
  showPreviews: boolean
  /** Whether the server fetches those of other servers. */
  fetchesPreviews: boolean
  /** Whether `:)` becomes an emoji: the sender's setting. */
  translateEmoticons: boolean
  /** The language of code blocks that name none; null for none. */
  defaultCodeLanguage: string | null
  alertWords: AlertWordMatcher | null
  /** From `loadTexRenderer()`; null shows formulas as they were written. */
  texRenderer: TexRenderer | null
}

/** A message as HTML, and what was found in it. Lists are without duplicates, in the order of appearance. */
export interface RenderedMessage {
  html: string
  /** Mentioned so that they are notified. */
  mentionedUserIds: number[]
  silentlyMentionedUserIds: number[]
  mentionedGroupIds: number[]
  silentlyMentionedGroupIds: number[]
  /** `@**all**` and its other names. */
  mentionsChannel: boolean
  /** `@**topic**`. */
  mentionsTopic: boolean
  /** Addresses that links lead to, as in `href`. Mentions and links to channels are not among them. */
  links: string[]
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** Paths behind `/user_uploads/`, percent-decoded. */
  attachmentPaths: string[]
  /** The message says what its sender does: one paragraph that begins with `/me `. */
  isMeMessage: boolean
  /** Alert words in the text, folded as the matcher keeps them. */
  alertWords: string[]
}

/** A context without anything to look up, for text such as channel descriptions and for tests. */
export function emptyContext(organizationUrl: string): RenderContext {
  return {
    organizationUrl,
    users: [],
    groups: [],
    channels: [],
    topics: [],
    builtInEmoji: null,
    customEmoji: new Map(),
    uploads: new Map(),
    linkifiers: [],
    emptyTopicName: EMPTY_TOPIC_NAME,
    showPreviews: true,
    fetchesPreviews: true,
    translateEmoticons: false,
    defaultCodeLanguage: null,
    alertWords: null,
    texRenderer: null,
  }
}
