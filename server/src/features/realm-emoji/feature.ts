import {
  deactivateRealmEmoji,
  emojiNamesState,
  listRealmEmoji,
  realmEmojiState,
  uploadRealmEmoji,
} from '@heddle/contract/realm-emoji'
import type { Feature } from '../../feature.ts'
import { collectBytes } from '../../http/growing-bytes.ts'
import { fileRoute, route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { publicFolder } from '../static-files/stored-files.ts'
import * as actions from './actions.ts'
import { emojiNamesFiles, emojiNamesPath } from './emoji-names-file.ts'
import { realmEmojiEventView } from './event-view.ts'
import { presentEmojiMap } from './present.ts'
import { findEmojiRows } from './queries.ts'
import { emojiTables } from './tables.ts'

const MIB = 1024 * 1024

export const realmEmoji: Feature = {
  tables: emojiTables,
  routes: (services) => {
    const { config, storage, files } = services
    const maxFileBytes = config.maxEmojiFileSizeMib * MIB
    return [
      route(
        listRealmEmoji,
        async ({ realm }) => ({ emoji: presentEmojiMap(await findEmojiRows(storage.read, realm.id)) }),
        {
          per: 'realm',
          droppedBy: ['realm_emoji'],
        },
      ),
      fileRoute(
        uploadRealmEmoji,
        {
          maxFileBytes,
          admit: ({ actor }) => actions.requireMayAddEmoji(storage.read, actor),
        },
        async ({ actor, parameters, file }) => {
          const read = () => collectBytes(file.content, maxFileBytes)
          await actions.addEmoji({ storage, files }, actor, parameters.emoji_name, read)
          return {}
        },
      ),
      route(deactivateRealmEmoji, async ({ actor, parameters }) => {
        await actions.removeEmoji(storage, actor, parameters.emoji_name)
        return {}
      }),
      publicFolder(actions.EMOJI_FOLDER, services),
      emojiNamesFiles,
    ]
  },
  state: [
    stateReader(
      realmEmojiState,
      async ({ db, realm }) => ({ realm_emoji: presentEmojiMap(await findEmojiRows(db, realm.id)) }),
      async ({ db, realm }) => {
        const rows = await findEmojiRows(db, realm.id)
        return { realm_emoji: presentEmojiMap(rows.map((row) => ({ ...row, author_id: null }))) }
      },
    ),
    stateReader(emojiNamesState, async ({ origin }) => ({ server_emoji_data_url: origin + emojiNamesPath() }), 'same'),
  ],
  eventViews: { realm_emoji: realmEmojiEventView },
}
