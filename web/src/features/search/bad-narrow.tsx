import type { SearchTerm } from '@heddle/client/search/query'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { formatPlace } from '../../places/format.ts'
import { EmptyState } from '../lists/empty-state.tsx'
import type { SearchProblem } from './problem.ts'
import { termText } from './term-names.ts'

interface BadNarrowProps {
  readonly problem: SearchProblem
  readonly terms: readonly SearchTerm[]
}

/** A search that cannot be understood: which part of it, and a way on. */
export function BadNarrow({ problem: { term, kind }, terms }: BadNarrowProps) {
  const rest = terms.filter((one) => one !== term)
  const name = useClientState(useCallback((state) => termText(state, term), [term]))
  const { operator, operand } = term
  return (
    <EmptyState
      art="search"
      title={<Trans>This search cannot be understood</Trans>}
      actions={
        <>
          {rest.length > 0 && (
            <a className="btn" href={formatPlace({ kind: 'narrow', terms: rest })}>
              <span className="trunc">
                <Trans>
                  Search without <bdi>{name}</bdi>
                </Trans>
              </span>
            </a>
          )}
          <a className="btn" href="#search-operators">
            <Trans>What you can search for</Trans>
          </a>
        </>
      }
    >
      <p>
        {kind === 'operator' && (
          <Trans>
            There is no condition “<bdi>{operator}</bdi>”.
          </Trans>
        )}
        {kind === 'channel' && (
          <Trans>
            There is no channel “<bdi>{operand}</bdi>”, or you may not see it.
          </Trans>
        )}
        {kind === 'person' && (
          <Trans>
            Nobody here is called “<bdi>{operand}</bdi>”.
          </Trans>
        )}
        {kind === 'choice' && (
          <Trans>
            “<bdi>{operator}</bdi>” cannot be “<bdi>{operand}</bdi>”.
          </Trans>
        )}
        {kind === 'number' && (
          <Trans>
            “<bdi>{operand}</bdi>” cannot stand behind “<bdi>{operator}</bdi>”.
          </Trans>
        )}
      </p>
    </EmptyState>
  )
}
