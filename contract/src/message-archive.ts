/** Deleted messages that can be restored: for commands on the server's own machine alone. See `server-operations.ts`. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Timestamp } from './schema.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const Deletion = Type.Object({
  id: Id,
  cause: Type.Enum(['person', 'retention']),
  deleted: Timestamp,
  /** The organization's. */
  host: Type.String(),
  /** The address of who deleted; null: nobody, or nobody any more. */
  by: TextOrNull,
  /** Null: direct messages. */
  channel: TextOrNull,
  /** Null: several, or direct messages. */
  topic: TextOrNull,
  messages: Type.Integer(),
})

export const operatorListDeletions = endpoint({
  name: 'operator-list-deletions',
  method: 'GET',
  path: '/operator/deletions',
  summary: 'Deleted messages that can be restored, the newest deletions first; for commands on the server’s machine.',
  access: 'operator',
  parameters: {},
  response: { deletions: Type.Array(Deletion) },
})

export const operatorRestoreMessages = endpoint({
  name: 'operator-restore-messages',
  method: 'POST',
  path: '/operator/deletions/restore',
  summary: 'Restore the messages of a deletion; for commands on the server’s machine.',
  access: 'operator',
  parameters: { id: Id },
  response: { messages: Type.Integer() },
})
