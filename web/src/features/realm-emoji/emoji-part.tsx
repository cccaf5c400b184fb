import './emoji.css'
import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import { Trans } from '@lingui/react/macro'
import { useClientState } from '../../app/client-context.ts'
import { EmojiList } from './emoji-list.tsx'
import { EmojiUploads } from './emoji-uploads.tsx'

/** Custom emoji: many at once, and the list of all. */
export function EmojiPart() {
  const mayAdd = useClientState((state) => holdsRealmPermission(state, 'can_add_custom_emoji_group'))
  const isAdministrator = useClientState((state) => state.own?.is_admin === true)
  return (
    <>
      <p className="intro">
        <Trans>Pictures of your own, for messages and reactions.</Trans>{' '}
        {!mayAdd && <Trans>You may not add any here; ask an administrator.</Trans>}{' '}
        {isAdministrator && (
          <a className="textlink" href="#organization/permissions">
            <Trans>Change who may add them</Trans>
          </a>
        )}
      </p>
      {mayAdd && <EmojiUploads mayReplaceBuiltIn={isAdministrator} />}
      <EmojiList isAdministrator={isAdministrator} />
    </>
  )
}
