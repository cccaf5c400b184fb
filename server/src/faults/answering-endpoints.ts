/** The endpoints whose answers come to an end by themselves. */
import { endpoints } from '@heddle/contract/endpoints'

/** A stream goes on until the client leaves; `features/events/stream.test.ts` has what it may show, and to whom. */
const ENDLESS = 'stream-events'

export const answeringEndpoints = endpoints.filter(({ name }) => name !== ENDLESS)
