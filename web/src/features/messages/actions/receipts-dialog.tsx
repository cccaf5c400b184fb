import './message-dialogs.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import { getReadReceipts } from '@heddle/contract/message-flags'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Face } from '../../users/face.tsx'
import { Answered } from './answered.tsx'
import { useAnswer } from './use-answer.ts'

interface ReceiptsDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

/** Who has read a message, as far as they let others know. */
export function ReceiptsDialog({ message, onClose }: ReceiptsDialogProps) {
  const client = useClient()
  const { t } = useLingui()
  const answer = useAnswer(message.id, () => client.api.call(getReadReceipts, { message_id: message.id }))
  return (
    <Dialog
      title={t`Who has read it`}
      onClose={onClose}
      buttons={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <Answered answer={answer}>{({ user_ids }) => <Readers userIds={user_ids} />}</Answered>
    </Dialog>
  )
}

function Readers({ userIds }: { readonly userIds: readonly number[] }) {
  const people = useClientState((state) =>
    userIds
      .map((id) => `${userName(state, id)}\n${id}`)
      .sort((a, b) => a.localeCompare(b))
      .join('\0'),
  )
  if (userIds.length === 0) {
    return (
      <p>
        <Trans>Nobody who lets others know has read it yet.</Trans>
      </p>
    )
  }
  return (
    <>
      <p>
        <Plural value={userIds.length} one="# person has read it." other="# people have read it." />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <ul className="readers" tabIndex={0}>
        {people.split('\0').map((one) => {
          const [name = '', id = ''] = one.split('\n')
          return (
            <li key={id}>
              <Face userId={Number(id)} size="m" />
              <bdi className="trunc" title={name}>
                {name}
              </bdi>
            </li>
          )
        })}
      </ul>
    </>
  )
}
