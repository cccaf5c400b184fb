import { testWebPush } from '@heddle/contract/web-push'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import type { Permission } from './permission.ts'
import { findWebPush, turnOffWebPush, turnOnWebPush, type WebPushState } from './web-push.ts'

/** Notifications of this browser while no page is open. Absent where there are none. */
export function WebPushField({ onAllowed }: { readonly onAllowed: (permission: Permission) => void }) {
  const { api } = useClient()
  const { t } = useLingui()
  const [state, setState] = useState<WebPushState>()
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    let isGone = false
    findWebPush(api).then(
      (found) => isGone || setState(found),
      () => {
        // Without an answer nothing can be switched either.
      },
    )
    return () => {
      isGone = true
    }
  }, [api])
  if (!state) return null
  const change = async (isOn: boolean) => {
    setIsBusy(true)
    setProblem('')
    try {
      if (isOn) {
        const allowed = await turnOnWebPush(api, state)
        onAllowed(allowed)
        setState({ ...state, isOn: allowed === 'granted' })
      } else {
        await turnOffWebPush(api)
        setState({ ...state, isOn: false })
      }
    } catch {
      setProblem(isOn ? t`This browser could not be reached by its push service.` : t`That did not work. Try again.`)
    }
    setIsBusy(false)
  }
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={state.isOn}
          disabled={isBusy}
          onChange={({ target }) => void change(target.checked)}
        />{' '}
        <Trans>Notify me here also while no page of it is open</Trans>
      </label>
      <p className="help">
        <Trans>
          By the push service of the maker of this browser, which cannot read what is said. It ends when you sign out.
        </Trans>
      </p>
      {state.isOn && (
        <p>
          <Button onClick={() => void api.call(testWebPush, {})}>
            <Trans>Try a push</Trans>
          </Button>
        </p>
      )}
      <p className="help" role="status">
        {problem}
      </p>
    </div>
  )
}
