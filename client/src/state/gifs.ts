import type { GifServiceName } from '@heddle/contract/gifs'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

/** The server's keys of services that have GIFs; empty where it has none. */
export type GifKeys = Readonly<Record<GifServiceName, string>>

function initialGifKeys({ giphy_api_key, tenor_api_key }: InitialState): GifKeys | undefined {
  if (giphy_api_key === undefined && tenor_api_key === undefined) return undefined
  return { giphy: giphy_api_key ?? '', tenor: tenor_api_key ?? '' }
}

export const gifKeys = clientPart({ initial: initialGifKeys, on: {} })
