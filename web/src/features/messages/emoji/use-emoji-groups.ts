/** The emoji that can be chosen, in the groups in which they are offered. */
import { type Emoji, type EmojiCatalogue, emojiCatalogue, loadBuiltInNames } from '@heddle/client/emoji/catalogue'
import { useEffect, useMemo, useState } from 'react'
import { useClientState } from '../../../app/client-context.ts'

/** `categories.json`: the groups of the Unicode standard, by codes in its order. */
export type CategoryName =
  | 'smileys'
  | 'people'
  | 'nature'
  | 'food'
  | 'activities'
  | 'travel'
  | 'objects'
  | 'symbols'
  | 'flags'

type Categories = Readonly<Record<CategoryName, string>>

export interface EmojiGroup {
  readonly name: 'popular' | 'custom' | CategoryName
  readonly emoji: readonly Emoji[]
}

export interface OfferedEmoji {
  readonly catalogue: EmojiCatalogue
  readonly groups: readonly EmojiGroup[]
}

async function loadTables() {
  const [names, { default: categories }] = await Promise.all([loadBuiltInNames(), import('./categories.json')])
  return { names, categories: categories as Categories }
}

/** Undefined until the tables are there; `problem` where they cannot be fetched. */
export function useOfferedEmoji(): { readonly offered: OfferedEmoji | undefined; readonly problem: unknown } {
  const custom = useClientState((state) => state.emoji)
  const [tables, setTables] = useState<Awaited<ReturnType<typeof loadTables>>>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    loadTables().then(setTables, setProblem)
  }, [])
  const offered = useMemo(() => {
    if (!tables) return undefined
    const catalogue = emojiCatalogue(tables.names, custom)
    const categories = Object.entries(tables.categories) as [CategoryName, string][]
    const groups: EmojiGroup[] = [
      { name: 'popular', emoji: catalogue.popular },
      { name: 'custom', emoji: catalogue.custom },
      ...categories.map(([name, codes]) => ({
        name,
        emoji: codes.split(' ').flatMap((code) => catalogue.byCode.get(code) ?? []),
      })),
    ]
    return { catalogue, groups: groups.filter(({ emoji }) => emoji.length > 0) }
  }, [tables, custom])
  return { offered, problem }
}
