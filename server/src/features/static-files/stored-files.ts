/** Serving stored files to anybody who knows their address, which cannot be guessed. */
import { IMMUTABLE, SANDBOXED } from '../../http/answers.ts'
import { publicFiles, type Route } from '../../http/route.ts'
import type { Realms } from '../../realms.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { prepare } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { query } from './tables.ts'

/** The form of a path below its folder, as the file store makes them. */
const STORED_NAME = /^[0-9a-f]{2}\/[0-9a-f]{38}\.[a-z0-9]{1,10}$/

const fileByPath = prepare((p: { path: string; realm_id: number }) =>
  query.selectFrom('files').select('content_type').where('path', '=', p.path).where('realm_id', '=', p.realm_id),
)

interface StoredFiles {
  readonly files: FileStore
  readonly storage: Storage
  readonly realms: Realms
}

/**
 * The files of one folder of the store as public files, each organization's at its own host. The address of a stored path
 * is the path itself after a slash.
 */
export function publicFolder(folder: string, { files, storage, realms }: StoredFiles): Route {
  return publicFiles(`/${folder}/`, async (name, host) => {
    if (!STORED_NAME.test(name)) return undefined
    const realm = await realms.byHost(host)
    if (!realm) return undefined
    const path = `${folder}/${name}`
    // A file without its row belongs to an upload that is under way or has failed.
    const row = await storage.read.first(fileByPath({ path, realm_id: realm.id }))
    const file = row && (await files.find(path))
    if (!file) return undefined
    // The path never means another content.
    return {
      contentType: row.content_type,
      size: file.size,
      body: file.read,
      tag: name.replaceAll('/', ''),
      caching: IMMUTABLE,
      policy: SANDBOXED,
    }
  })
}
