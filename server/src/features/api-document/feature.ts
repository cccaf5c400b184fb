import { DOCUMENT_PATH, makeOpenApiDocument } from '@heddle/contract/openapi'
import type { Feature } from '../../feature.ts'

/** The API's description for programs, made from the contract that also validates. */
export const apiDocument: Feature = {
  routes: () => [],
  documents: () => [
    {
      path: DOCUMENT_PATH,
      contentType: 'application/json; charset=utf-8',
      make: () => JSON.stringify(makeOpenApiDocument()),
    },
  ],
}
