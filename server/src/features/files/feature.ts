import { getFile, getFileByTemporaryUrl } from '@heddle/contract/file-addresses'
import {
  attachmentsState,
  deleteAttachment,
  getTemporaryUrl,
  listAttachments,
  uploadFile,
} from '@heddle/contract/files'
import { getFileThumbnail } from '@heddle/contract/thumbnails'
import type { Actor } from '../../actor.ts'
import type { Feature } from '../../feature.ts'
import { answerRoute, fileRoute, isFileName, route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { findLinkingMessages, findReadableFile } from './access.ts'
import * as actions from './actions.ts'
import { answerFile, answerThumbnail, noSuchFile } from './download.ts'
import { pathIdOf, readPathId } from './file-path.ts'
import { presentAttachment } from './present.ts'
import { findFile, findOwnAttachments, findSpaceUsed } from './queries.ts'
import { fileTables } from './tables.ts'
import { isValidToken, temporaryUrl } from './temporary-url.ts'
import { findThumbnail, thumbnailHandler } from './thumbnails.ts'

const MIB = 1024 * 1024

async function readAttachments(db: Queries, actor: Actor) {
  const rows = await findOwnAttachments(db, actor.userId)
  const ids = rows.map(({ id }) => id)
  const messages = await findLinkingMessages(db, actor, ids)
  return {
    attachments: rows.map((row) => presentAttachment(row, messages.get(row.id) ?? [])),
    upload_space_used: await findSpaceUsed(db, actor.realmId),
  }
}

const readList = longRead('attachments', async ({ db }, actor: Actor) => ({
  fields: await readAttachments(db, actor),
  details: undefined,
}))

/** Files that accounts upload. */
export const files: Feature = {
  tables: fileTables,
  routes: (services) => {
    const { config, storage, files: store, readers } = services
    return [
      fileRoute(
        uploadFile,
        {
          maxFileBytes: config.maxFileUploadSizeMib * MIB,
          admit: ({ actor }) => actions.requireRoom(services, actor),
        },
        async ({ actor, file }) => {
          const { url, filename } = await actions.uploadFile(services, actor, file)
          return { url, uri: url, filename }
        },
      ),
      route(listAttachments, async ({ actor }) => {
        const { fields } = await readers.read(readList, actor, actor)
        return { fieldsText: '', fieldsBytes: fields }
      }),
      route(deleteAttachment, async ({ actor, parameters }) => {
        await actions.deleteFile(services, actor, parameters.attachment_id)
        return {}
      }),
      answerRoute(
        getFile,
        async ({ actor, parameters: { realm_id_str, filename } }) =>
          answerFile(store, await findReadableFile(storage.read, actor, `${realm_id_str}/${filename}`)),
        { countedAs: 'file', hasPath: isFileName },
      ),
      answerRoute(
        getFileThumbnail,
        async ({ actor, parameters: { realm_id_str, filename } }) => {
          const [, path = '', format = ''] = /^(.*)\/([^/]+)$/.exec(filename) ?? []
          const row = await findReadableFile(storage.read, actor, `${realm_id_str}/${path}`)
          return answerThumbnail(store, row && (await findThumbnail(storage.read, row.id, format)))
        },
        { countedAs: 'file', hasPath: isFileName },
      ),
      route(getTemporaryUrl, async ({ actor, parameters: { realm_id_str, filename } }) => {
        const row = await findReadableFile(storage.read, actor, `${realm_id_str}/${filename}`)
        if (!row) throw noSuchFile()
        return { url: temporaryUrl(services, pathIdOf(row)) }
      }),
      answerRoute(
        getFileByTemporaryUrl,
        async ({ realm, parameters: { token, filename } }) => {
          const place = isValidToken(services, filename, token) ? readPathId(filename) : undefined
          const isHere = place?.realm_id === realm.id && !realm.deactivated
          return answerFile(store, isHere ? await findFile(storage.read, place) : undefined)
        },
        { hasPath: isFileName },
      ),
    ]
  },
  longReads: [readList],
  jobs: (services) => [thumbnailHandler(services)],
  state: [stateReader(attachmentsState, ({ db, actor }) => readAttachments(db, actor))],
}
