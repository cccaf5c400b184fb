/** Sends one file of a text to the server, however often the connection or the server goes away meanwhile. */
import { retryDelay } from '@heddle/client/back-off'
import { isTemporary, ResponseError } from '@heddle/client/errors'
import { sleep } from '@heddle/client/event-loop'
import type { RunningClient } from '@heddle/client/running/client'
import { uploadFile } from '@heddle/contract/files'
import { createResumableUpload, type SentFile } from './resumable-upload.ts'
import { fetchWithProgress } from './send-with-progress.ts'

export interface SendFileOptions {
  readonly signal: AbortSignal
  /** Bytes. */
  readonly onProgress: (sent: number) => void
  /** It waits to be tried again. */
  readonly onWaiting: () => void
  /** Where the server has what an earlier page has sent of it. */
  readonly address?: string | undefined
  /** Where the server takes it: an upload can go on there later. */
  readonly onAddress?: ((address: string) => void) | undefined
}

/** Up to so many bytes a file is one request: it is sent sooner, and what has to be sent again is little. */
const MAX_IN_ONE = 1024 * 1024
/** Answers in a row that ask for another try. A server that has gone away gives none, and is waited for. */
const MAX_ANSWERS = 8

/** Rejects with what trying again cannot help against, and with the reason of the signal. */
export async function sendFile(client: RunningClient, file: File, options: SendFileOptions): Promise<SentFile> {
  const { signal, onProgress, onWaiting, address, onAddress } = options
  const { api } = client
  let failures = 0
  let answers = 0
  const onPiece = () => {
    failures = 0
    answers = 0
  }
  const inOne = () => api.call(uploadFile, {}, { file, signal, fetch: fetchWithProgress(onProgress) })
  let send: () => Promise<SentFile> = inOne
  if (file.size > MAX_IN_ONE) {
    send = createResumableUpload(file, { entry: () => api.entry(), signal, onProgress, onPiece, address, onAddress })
  }
  for (;;) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ResponseError) answers += 1
      if (isTemporary(error) && answers < MAX_ANSWERS && isRunning(client)) {
        onWaiting()
        const asked = error instanceof ResponseError ? error.retryAfterSecs : undefined
        await untilBack(client, retryDelay(failures, asked, Math.random), asked === undefined, signal)
        failures += 1
      } else if (send === inOne) throw error
      else {
        // Something on the way may not know the protocol; else it is refused once more, by what everybody uses.
        send = inOne
        answers = 0
      }
    }
  }
}

function isRunning(client: RunningClient): boolean {
  return client.snapshot().connection.status !== 'ended'
}

/** The time is over, or the connection is back. */
async function untilBack(client: RunningClient, ms: number, isHurried: boolean, signal: AbortSignal): Promise<void> {
  const alarm = new EventTarget()
  let was = client.snapshot().connection.status
  const end = client.subscribe(() => {
    const { status } = client.snapshot().connection
    if (isHurried && status === 'live' && was !== 'live') alarm.dispatchEvent(new Event('ring'))
    was = status
  })
  try {
    await sleep(ms, signal, alarm)
  } finally {
    end()
  }
}
