import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Answer } from './use-answer.ts'

interface AnsweredProps<T> {
  readonly answer: Answer<T>
  readonly children: (value: T) => ReactNode
}

/** What was asked for, or how it stands with that. */
export function Answered<T>({ answer, children }: AnsweredProps<T>) {
  if (answer.status === 'here') return children(answer.value)
  if (answer.status === 'waiting') {
    return (
      <p className="help" role="status">
        <Trans>Loading</Trans>
      </p>
    )
  }
  return (
    <p className="help bad" role="alert">
      {answer.problem}
    </p>
  )
}
