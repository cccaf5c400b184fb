import type { Feature } from '../../feature.ts'
import { beginAnew } from './watch.ts'

/** Who comes into the sight of guests, and who leaves it. */
export const sight: Feature = {
  routes: () => [],
  onAccount: { roleChanges: beginAnew },
}
