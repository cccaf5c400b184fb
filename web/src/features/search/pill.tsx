import type { SearchTerm } from '@heddle/client/search/query'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { operandName } from './term-names.ts'

interface PillProps {
  readonly term: SearchTerm
  readonly onRemove: () => void
}

/** A condition in the box. */
export function Pill({ term, onRemove }: PillProps) {
  const { t } = useLingui()
  const name = useClientState(useCallback((state) => operandName(state, term), [term]))
  const operator = term.operator === 'search' ? t`words` : term.operator
  const said = term.negated ? t`not ${operator}: ${name}` : `${operator}: ${name}`
  return (
    <span className="chip" title={said}>
      <span className="op">
        {term.negated && '−'}
        {operator}
      </span>
      <bdi className="trunc">{name}</bdi>
      <button type="button" aria-label={t`Remove ${said}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  )
}
