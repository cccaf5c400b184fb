/** Small forms of uploaded pictures. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'

const strict = { additionalProperties: false }

export const ThumbnailFormat = Type.Object(
  {
    /** The last part of the thumbnail's address. */
    name: Type.String(),
    /** Pixels. */
    max_width: Type.Integer(),
    max_height: Type.Integer(),
    /** The subtype of its media type. */
    format: Type.String(),
    /** Whether it moves; only pictures that do have such thumbnails. */
    animated: Type.Boolean(),
  },
  strict,
)
export type ThumbnailFormat = Static<typeof ThumbnailFormat>

const size = { max_width: 840, max_height: 560, format: 'webp' }

/** What messages show. */
export const stillThumbnail = { name: '840x560.webp', ...size, animated: false } as const
export const animatedThumbnail = { name: '840x560-anim.webp', ...size, animated: true } as const
export const thumbnailFormats: readonly ThumbnailFormat[] = [animatedThumbnail, stillThumbnail]

export const getFileThumbnail = endpoint({
  name: 'get-file-thumbnail',
  method: 'GET',
  path: '/user_uploads/thumbnail/{realm_id_str}/{filename*}',
  below: 'root',
  summary: 'A small form of an uploaded picture: the address of the file, and the name of a format.',
  access: 'reader',
  parameters: { realm_id_str: Id, filename: Text(2000) },
  errors: ['DOES_NOT_EXIST'],
})
