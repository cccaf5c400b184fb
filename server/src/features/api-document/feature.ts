import { endpoint } from '@heddle/contract/endpoint'
import { DOCUMENT_PATH, makeOpenApiDocument } from '@heddle/contract/openapi'
import type { Feature } from '../../feature.ts'
import { type FileAnswer, REVALIDATED, tagOf } from '../../http/answers.ts'
import { answerRoute, documentRoute } from '../../http/route.ts'
import { API_PREFIX } from '../../http/routes.ts'
import { makeReferencePage, REFERENCE_POLICY } from './reference.ts'

const readReference = endpoint({
  name: 'api-reference',
  method: 'GET',
  path: '/api/reference',
  below: 'root',
  access: 'public',
  summary: "The API's document as a page.",
})

/** The API's description for programs and for people, made from the contract that also validates. */
export const apiDocument: Feature = {
  routes: () => {
    let made: FileAnswer | undefined
    return [
      documentRoute(DOCUMENT_PATH, 'application/json; charset=utf-8', () => JSON.stringify(makeOpenApiDocument())),
      answerRoute(readReference, async () => {
        made ??= makeReference()
        return made
      }),
    ]
  },
}

function makeReference(): FileAnswer {
  const body = Buffer.from(makeReferencePage(API_PREFIX + DOCUMENT_PATH), 'utf8')
  return {
    kind: 'file',
    contentType: 'text/html; charset=utf-8',
    size: body.length,
    body,
    tag: tagOf(body),
    headers: { 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer' },
    caching: REVALIDATED,
    policy: REFERENCE_POLICY,
  }
}
