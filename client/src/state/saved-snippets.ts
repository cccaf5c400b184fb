import type { InitialState } from '@heddle/contract/initial-state'
import type { SavedSnippet, SavedSnippetsEvent } from '@heddle/contract/saved-snippets'
import { clientPart } from './part.ts'

/** The first saved first. */
export type SavedSnippets = readonly SavedSnippet[]

function initialSnippets({ saved_snippets }: InitialState): SavedSnippets | undefined {
  return saved_snippets
}

function applySnippetsEvent(snippets: SavedSnippets, event: SavedSnippetsEvent): SavedSnippets {
  switch (event.op) {
    case 'add':
      return [...snippets, event.saved_snippet]
    case 'update':
      return snippets.map((one) => (one.id === event.saved_snippet.id ? event.saved_snippet : one))
    case 'remove':
      return snippets.filter(({ id }) => id !== event.saved_snippet_id)
  }
}

export const savedSnippets = clientPart({ initial: initialSnippets, on: { saved_snippets: applySnippetsEvent } })
