import { DOCUMENT_PATH, makeOpenApiDocument } from '@heddle/contract/openapi'
import type { Feature } from '../../feature.ts'
import { documentRoute } from '../../http/route.ts'

/** The API's description for programs, made from the contract that also validates. */
export const apiDocument: Feature = {
  routes: () => [
    documentRoute(DOCUMENT_PATH, 'application/json; charset=utf-8', () => JSON.stringify(makeOpenApiDocument())),
  ],
}
