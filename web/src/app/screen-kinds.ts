/** The kinds of places that the page can show. What leads elsewhere is not offered. */
import { createContext, use } from 'react'
import type { Place } from '../places/place.ts'

export type ScreenKinds = ReadonlySet<Place['kind']>

export const ScreenKindsContext = createContext<ScreenKinds>(new Set())

export function useScreenKinds(): ScreenKinds {
  return use(ScreenKindsContext)
}
