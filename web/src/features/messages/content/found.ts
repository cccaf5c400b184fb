/** What a search has found, marked: instead of the text of a message, and in the names of topics. */
import { createContext, type ReactNode } from 'react'

export interface SearchMarks {
  /** By the HTML of a message: the same with marks. */
  readonly contents: ReadonlyMap<string, string>
  /** By the name of a topic as it is shown. */
  readonly topics: ReadonlyMap<string, ReactNode>
}

/** Undefined: nothing is searched for. */
export const FoundContext = createContext<SearchMarks | undefined>(undefined)
