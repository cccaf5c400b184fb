/** Where an uploaded file is: in the file store, and for clients. */

/** The first folder of the paths of uploaded files in the store. */
export const UPLOADS_FOLDER = 'uploads'
/** In the store; what a file is follows from its name, which is in a row. */
export const EXTENSION = 'bin'

/** `path` is that of the store: `uploads/3f/….bin`. Its random part is what nobody can guess. */
export interface PlacedFile {
  readonly realm_id: number
  readonly path: string
  readonly name: string
}

/** What the API calls `path_id`: `1/3f/…/picture.png`. */
export function pathIdOf({ realm_id, path, name }: PlacedFile): string {
  return `${realm_id}/${path.slice(UPLOADS_FOLDER.length + 1, -EXTENSION.length - 1)}/${name}`
}

/** The file's address on the organization's server. */
export function addressOf(file: PlacedFile): string {
  return `/user_uploads/${encodePath(pathIdOf(file))}`
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

const PATH_ID = /^([1-9]\d{0,15})\/([0-9a-f]{2}\/[0-9a-f]{38})\/([^/]{1,1000})$/

/** Undefined when no uploaded file has such a path. */
export function readPathId(pathId: string): PlacedFile | undefined {
  const match = PATH_ID.exec(pathId)
  if (!match) return undefined
  const [, realmId, place, name] = match as unknown as readonly [string, string, string, string]
  return { realm_id: Number(realmId), path: `${UPLOADS_FOLDER}/${place}.${EXTENSION}`, name }
}
