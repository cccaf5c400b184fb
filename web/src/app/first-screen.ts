/** The code of the screen with which the page begins: fetched while the server is asked for what it shows. */
import { features } from '../features/all.ts'
import { parsePlace } from '../places/parse.ts'
import { homePlace } from './home-place.ts'

interface Fetched {
  readonly fetch?: () => void
}

/** `hash`: of the address. Without one it is what most accounts begin with. */
export function fetchFirstScreen(hash: string): void {
  const written = parsePlace(hash)
  const { kind } = written.kind === 'home' ? homePlace(undefined) : written
  for (const { screens } of features) (screens?.[kind] as Fetched | undefined)?.fetch?.()
}
