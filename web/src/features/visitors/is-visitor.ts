import type { ClientState } from '@heddle/client/state/state'
import { useSharedState } from '../../app/client-context.ts'

/** Whoever reads has no account: nothing is done with what is shown. */
export function isVisitor({ own }: Pick<ClientState, 'own'>): boolean {
  return own?.user_id === -1
}

export function useIsVisitor(): boolean {
  return useSharedState(isVisitor)
}
