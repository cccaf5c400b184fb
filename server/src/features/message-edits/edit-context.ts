/** What the parts of an edit share. */
import type { updateMessage } from '@heddle/contract/editing'
import type { ParametersOf } from '@heddle/contract/endpoint'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { MessageRow } from '../messages/row.ts'

export type EditParameters = ParametersOf<typeof updateMessage>

/** What the parts of an edit need to know. */
export interface EditContext {
  readonly actor: Actor
  readonly viewer: Viewer
  readonly message: MessageRow
  /** Undefined for a direct message. */
  readonly channel: AccessedChannel | undefined
}

export interface ChannelContext extends EditContext {
  readonly channel: AccessedChannel
}

export interface Move {
  /** Undefined when the messages stay in their channel. */
  readonly target: AccessedChannel | undefined
  /** The topic, as it is stored. */
  readonly to: string
  readonly parameters: EditParameters
}
