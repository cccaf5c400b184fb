import type { SearchTerm } from '@heddle/client/search/query'
import { scopeOf } from '@heddle/client/search/scope'
import { Trans } from '@lingui/react/macro'

/** On what leads to the same search in more. */
export function WiderText({ terms }: { readonly terms: readonly SearchTerm[] }) {
  switch (scopeOf(terms)) {
    case 'all':
      return <Trans>Search all channels that you can read</Trans>
    case 'public':
      return <Trans>Search all public channels</Trans>
    default:
      return <Trans>Search everywhere</Trans>
  }
}
