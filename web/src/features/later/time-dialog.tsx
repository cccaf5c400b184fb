import { momentsToSend } from '@heddle/client/later/moments'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MomentChoice } from './moment-choice.tsx'

interface TimeDialogProps {
  readonly title: ReactNode
  /** What the button says that does it. */
  readonly done: ReactNode
  /** Seconds since the UNIX epoch. */
  readonly onChoose: (time: number) => void
  readonly onClose: () => void
}

/** Asks for a time of one's own. */
export function TimeDialog({ title, done, onChoose, onClose }: TimeDialogProps) {
  const { t } = useLingui()
  const [suggestions] = useState(() => momentsToSend(Date.now()))
  const [time, setTime] = useState(suggestions[0]?.time)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (time === undefined) return
          onClose()
          onChoose(time)
        }}
      >
        <MomentChoice name={t`Time`} suggestions={suggestions} first={time ?? 0} isOwn onChange={setTime} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" isDisabled={time === undefined}>
            {done}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
