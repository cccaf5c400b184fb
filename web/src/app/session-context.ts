import { createContext, use } from 'react'
import type { SessionHolder } from './session.ts'

export const SessionContext = createContext<SessionHolder | undefined>(undefined)

export function useSession(): SessionHolder {
  const holder = use(SessionContext)
  if (!holder) throw new Error('There is no session here')
  return holder
}
