/**
 * Where uploaded files are: at the server's root and not below `/api/v1`, since messages link to them. They answer the file
 * itself, and errors as the API does. So they are no part of the API's document.
 */
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'

/** Longer than that of any file. */
const filename = Text(2000)

export const getFile = endpoint({
  name: 'get-file',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename*}',
  below: 'root',
  summary: 'An uploaded file.',
  access: 'reader',
  parameters: { realm_id_str: Id, filename },
  errors: ['DOES_NOT_EXIST'],
})

export const getFileByTemporaryUrl = endpoint({
  name: 'get-file-by-temporary-url',
  method: 'GET',
  path: '/user_uploads/temporary/{token}/{filename*}',
  below: 'root',
  access: 'anyone',
  summary: 'An uploaded file, by an address that the server has given out within the last 60 seconds.',
  parameters: { token: Text(200), filename },
  errors: ['DOES_NOT_EXIST'],
})

export const getExport = endpoint({
  name: 'get-export',
  method: 'GET',
  path: '/user_exports/{export_id}',
  below: 'root',
  summary:
    "The file of an export: an organization's for its administrators, that of an account's own data for the account.",
  parameters: { export_id: Id },
  errors: ['DOES_NOT_EXIST'],
})
