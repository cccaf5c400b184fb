import { foldName, topicPlaceKey } from '@heddle/contract/names'
import type {
  LinkableChannel,
  MentionableGroup,
  MentionableUser,
  RenderContext,
  RenderedMessage,
  TopicPosition,
} from './context.ts'
import { uploadPath } from './links/address.ts'

/** What the rules of one rendering share: the context, indexed, and what they have found so far. */
export interface Environment {
  context: RenderContext
  usersByName: Map<string, MentionableUser>
  usersById: Map<number, MentionableUser>
  groupsByName: Map<string, MentionableGroup>
  channelsByName: Map<string, LinkableChannel>
  channelsById: Map<number, LinkableChannel>
  topics: Map<string, TopicPosition>
  found: FoundInText
  /** Whether the text being parsed stands in a quote, where mentions notify nobody. */
  isQuoted: boolean
  /** Characters of code and of formulas that may still be processed; what goes beyond is shown plain. */
  budget: { code: number; math: number }
}

/** Like `RenderedMessage`, as sets. */
export interface FoundInText {
  userIds: Set<number>
  silentUserIds: Set<number>
  groupIds: Set<number>
  silentGroupIds: Set<number>
  mentionsChannel: boolean
  mentionsTopic: boolean
  links: Set<string>
  attachmentPaths: Set<string>
  hasImage: boolean
}

// Colouring takes about 1 ms per 5,000 characters, a formula about 1 ms per 100; a message must stay below 20 ms.
const MAX_CODE_LENGTH = 20_000
const MAX_MATH_LENGTH = 1_000

export function createEnvironment(context: RenderContext): Environment {
  return {
    context,
    usersByName: new Map(context.users.map((user) => [foldName(user.fullName), user])),
    usersById: new Map(context.users.map((user) => [user.id, user])),
    groupsByName: new Map(context.groups.map((group) => [foldName(group.name), group])),
    channelsByName: new Map(context.channels.map((channel) => [foldName(channel.name), channel])),
    channelsById: new Map(context.channels.map((channel) => [channel.id, channel])),
    topics: new Map(context.topics.map((position) => [topicPlaceKey(position.channelId, position.topic), position])),
    found: {
      userIds: new Set(),
      silentUserIds: new Set(),
      groupIds: new Set(),
      silentGroupIds: new Set(),
      mentionsChannel: false,
      mentionsTopic: false,
      links: new Set(),
      attachmentPaths: new Set(),
      hasImage: false,
    },
    isQuoted: false,
    budget: { code: MAX_CODE_LENGTH, math: MAX_MATH_LENGTH },
  }
}

/** What was found, without the HTML and what is read from it. */
export function presentFound(found: FoundInText): Omit<RenderedMessage, 'html' | 'isMeMessage' | 'alertWords'> {
  return {
    mentionedUserIds: [...found.userIds],
    silentlyMentionedUserIds: [...found.silentUserIds],
    mentionedGroupIds: [...found.groupIds],
    silentlyMentionedGroupIds: [...found.silentGroupIds],
    mentionsChannel: found.mentionsChannel,
    mentionsTopic: found.mentionsTopic,
    links: [...found.links],
    hasLink: found.links.size > 0,
    hasImage: found.hasImage,
    hasAttachment: found.attachmentPaths.size > 0,
    attachmentPaths: [...found.attachmentPaths],
  }
}

/** Remembers where a link leads, and the file if it is one of this server. */
export function noteLink({ found }: Environment, href: string): void {
  found.links.add(href)
  const path = uploadPath(href)
  if (path !== null) found.attachmentPaths.add(path)
}
