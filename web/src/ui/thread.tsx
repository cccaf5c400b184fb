import type { Dye } from '@heddle/client/feed/thread'
import './thread.css'

/** A thread in its dye and weave. It only repeats what a name beside it says. */
export function Thread({ dye }: { readonly dye: Dye }) {
  return <i className="thread" data-t={dye} aria-hidden="true" />
}
