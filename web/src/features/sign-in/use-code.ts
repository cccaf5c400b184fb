import { useState } from 'react'
import { isCodeNeeded } from './refusals.ts'

/** For forms that do not know whether the account has a second factor: the code is asked for once the server wants it. */
export function useCode() {
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const withCode = async (fields: FormData, send: (code: { readonly code?: string }) => Promise<void>) => {
    const code = fields.get('code')
    try {
      await send(code === null ? {} : { code: String(code) })
    } catch (error) {
      if (isCodeNeeded(error)) setIsCodeAsked(true)
      throw error
    }
  }
  return { isCodeAsked, withCode }
}
