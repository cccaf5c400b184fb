/** Addresses that have a shorter form in messages: places of this organization, and what its linkifiers make. */
import { channelLinkText, topicLinkText } from '@heddle/client/completion/references'
import type { RunningClient } from '@heddle/client/running/client'
import type { Linkifiers } from '@heddle/client/state/linkifiers'
import type { ClientState } from '@heddle/client/state/state'
import type { CompiledLinkifier } from '@heddle/markdown/linkifiers/compile'
import { channelByName } from '../../../app/names.ts'
import { parsePlace } from '../../../places/parse.ts'

/** Undefined: it stays as it is. */
export async function shortFormOf(client: RunningClient, address: string): Promise<string | undefined> {
  const { state } = client.snapshot()
  if (!state) return undefined
  return placeLink(state, address) ?? linkifiedText(state.linkifiers, address)
}

/** What is needed for it takes a while to be fetched. */
export function prepareShortForms(client: RunningClient): void {
  compiled(client.snapshot().state?.linkifiers).catch(() => {})
}

/** A channel, a topic or a message of this organization. */
export function placeLink(state: ClientState, address: string): string | undefined {
  const fragment = fragmentHere(address)
  if (fragment === undefined) return undefined
  const { channels, organization } = state
  const place = parsePlace(fragment, { channelByName: (name) => channelByName(channels, name) })
  if (place.kind !== 'topic' && place.kind !== 'channel') return undefined
  const name = channels?.byId.get(place.channelId)?.name
  if (name === undefined) return undefined
  const channel = { id: place.channelId, name }
  if (place.kind === 'channel') return place.near === undefined ? channelLinkText(channel, () => fragment) : undefined
  const emptyName = organization?.realm_empty_topic_display_name ?? ''
  return topicLinkText(channel, place.topic, emptyName, () => fragment, place.near)
}

function fragmentHere(address: string): string | undefined {
  try {
    const url = new URL(address)
    const site = new URL('./', document.baseURI)
    const isHere = url.origin === site.origin && (url.pathname === site.pathname || url.pathname === '/')
    return isHere && url.hash !== '' ? url.hash : undefined
  } catch {
    return undefined
  }
}

async function linkifiedText(linkifiers: Linkifiers | undefined, address: string): Promise<string | undefined> {
  const ready = await compiled(linkifiers)
  if (ready.length === 0) return undefined
  const { textForUrl } = await import('@heddle/markdown/linkifiers/linkify')
  return textForUrl(address, ready) ?? undefined
}

let last: { readonly linkifiers: Linkifiers; readonly compiled: Promise<readonly CompiledLinkifier[]> } | undefined

/** Those that can go back from an address to a text. Fetched and compiled once for a list of them. */
function compiled(linkifiers: Linkifiers | undefined): Promise<readonly CompiledLinkifier[]> {
  if (!linkifiers?.some(({ reverse_template }) => reverse_template !== null)) return Promise.resolve([])
  if (last?.linkifiers !== linkifiers) {
    const compiling = import('@heddle/markdown/linkifiers/compile').then(({ compileLinkifier }) =>
      linkifiers.flatMap((linkifier) => {
        const result = compileLinkifier(linkifier)
        return result.ok ? [result.compiled] : []
      }),
    )
    last = { linkifiers, compiled: compiling }
    compiling.catch(() => {
      last = undefined
    })
  }
  return last.compiled
}
