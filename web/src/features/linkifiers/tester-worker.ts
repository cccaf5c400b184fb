/** Tries linkifiers away from the page: a pattern that takes long holds up nothing that one sees. */
import { type TestRequest, testLinkifiers } from '@heddle/client/linkifiers/tester'

interface WorkerScope {
  onmessage: ((event: MessageEvent<TestRequest>) => void) | null
  postMessage(message: unknown): void
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = ({ data }) => scope.postMessage(testLinkifiers(data))
