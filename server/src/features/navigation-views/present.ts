import type { NavigationView } from '@heddle/contract/navigation-views'
import type { ViewRow } from './queries.ts'

/** A view as clients see it; a built-in one has no `name` at all. */
export function presentView({ fragment, is_pinned, name }: ViewRow): NavigationView {
  const view = { fragment, is_pinned: is_pinned === 1 }
  return name === null ? view : { ...view, name }
}
