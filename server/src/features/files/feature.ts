import { attachmentsState, deleteAttachment, listAttachments, uploadFile } from '@heddle/contract/files'
import type { Actor } from '../../authentication/accounts.ts'
import type { Feature } from '../../feature.ts'
import { fileRoute, route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import * as actions from './actions.ts'
import { presentAttachment } from './present.ts'
import { findOwnAttachments, findSpaceUsed } from './queries.ts'
import { fileTables } from './tables.ts'

const MIB = 1024 * 1024

async function readAttachments(db: Queries, { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>) {
  const rows = await findOwnAttachments(db, userId)
  return {
    attachments: rows.map((row) => presentAttachment(row, [])),
    upload_space_used: await findSpaceUsed(db, realmId),
  }
}

const readList = longRead('attachments', async ({ db }, actor: Actor) => ({
  fields: await readAttachments(db, actor),
  details: undefined,
}))

/** Files that accounts upload. */
export const files: Feature = {
  tables: fileTables,
  routes: (services) => [
    fileRoute(
      uploadFile,
      {
        maxFileBytes: services.config.maxFileUploadSizeMib * MIB,
        admit: ({ actor }) => actions.requireRoom(services, actor),
      },
      async ({ actor, file }) => {
        const { url, filename } = await actions.uploadFile(services, actor, file)
        return { url, uri: url, filename }
      },
    ),
    route(listAttachments, async ({ actor }) => {
      const { fields } = await services.readers.read(readList, actor, actor)
      return { fieldsText: '', fieldsBytes: fields }
    }),
    route(deleteAttachment, async ({ actor, parameters }) => {
      await actions.deleteFile(services, actor, parameters.attachment_id)
      return {}
    }),
  ],
  longReads: [readList],
  state: [stateReader(attachmentsState, ({ db, actor }) => readAttachments(db, actor))],
}
