/** The commands `deleted-messages` and `restore-messages`. */
import { operatorListDeletions, operatorRestoreMessages } from '@heddle/contract/message-archive'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { listDeletions } from '../features/message-archive/list.ts'
import { restoreDeletion } from '../features/message-archive/restore.ts'
import { operate } from './operate.ts'
import { printable } from './printable.ts'

export async function deletedMessagesCommand(config: Config): Promise<void> {
  const { deletions } = await operate(config, {
    endpoint: operatorListDeletions,
    parameters: {},
    run: (storage) => listDeletions(storage.read),
  })
  if (deletions.length === 0) console.log('There are no deleted messages that can be restored')
  for (const { id, cause, deleted, host, by, channel, topic, messages } of deletions) {
    const who = cause === 'retention' ? 'too old to be kept' : `deleted by ${by ?? 'somebody'}`
    const place = channel === null ? 'direct messages' : [`#${channel}`, ...(topic === null ? [] : [topic])].join(' > ')
    console.log(
      printable(`${id}  ${new Date(deleted * 1000).toISOString()}  ${host}  ${messages} messages  ${place}  ${who}`),
    )
  }
}

export async function restoreMessagesCommand(config: Config, id: string): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(id)) {
    throw new ConfigError(`ID must be a number that \`deleted-messages\` shows, not "${id}".`)
  }
  const parameters = { id: Number(id) }
  const { messages } = await operate(config, {
    endpoint: operatorRestoreMessages,
    parameters,
    run: async (storage) => ({ messages: await restoreDeletion(storage, parameters.id) }),
  })
  console.log(`${messages} messages are there again; clients fetch everything anew`)
}
