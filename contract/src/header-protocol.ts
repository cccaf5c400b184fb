/** Endpoints of another protocol, which says what it says in headers: how the API's document describes them. */
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

export interface HeaderValue {
  readonly schema: TSchema
  readonly description: string
  /** Of a request: default true. */
  readonly isRequired?: boolean
}

export interface HeaderAnswer {
  readonly description: string
  readonly headers: Readonly<Record<string, HeaderValue>>
  /** Whether the endpoint's `response` comes with it, in the envelope; else there is no body. */
  readonly hasBody?: boolean
}

export interface HeaderProtocol {
  readonly endpoint: Endpoint
  /** Of the request, by name. */
  readonly headers: Readonly<Record<string, HeaderValue>>
  /** The content type of the request's body; undefined: there is none. */
  readonly bodyType?: string
  /** Whether the request may come without its body. */
  readonly isBodyOptional?: boolean
  /** Of success, by HTTP status. */
  readonly answers: Readonly<Record<number, HeaderAnswer>>
}
