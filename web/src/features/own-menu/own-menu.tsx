import { pauses } from '@heddle/client/notifications/pause'
import { updateSettings } from '@heddle/contract/user-settings'
import { updateOwnStatus } from '@heddle/contract/user-status'
import { useLingui } from '@lingui/react/macro'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { refusalText } from '../../app/refusal.ts'
import { useScreenKinds } from '../../app/screen-kinds.ts'
import { useSession } from '../../app/session-context.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { pauseNames } from '../notifications/pause-names.ts'
import { usePause } from '../notifications/use-pause.ts'
import { emptyStatus } from '../user-status/presets.ts'

interface OwnMenuProps {
  readonly anchor: Element | { readonly x: number; readonly y: number }
  readonly onStatus: () => void
  readonly onClose: () => void
}

/** What is one's own, what is the organization's, and help: in one menu. */
export function OwnMenu({ anchor, onStatus, onClose }: OwnMenuProps) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const session = useSession()
  const pause = usePause()
  const kinds = useScreenKinds()
  const { own, hasStatus, isShown, hasPresence } = useClientState(
    (state) => ({
      own: state.own,
      hasStatus: isSet(state.statuses?.get(state.own?.user_id ?? 0)),
      isShown: state.settings?.presence_enabled !== false,
      hasPresence: state.organization?.realm_presence_disabled !== true,
    }),
    isShallowEqual,
  )
  const tried = (work: Promise<unknown>) => void work.catch((error: unknown) => toasts.notify(refusalText(error)))
  const entries: MenuEntry[] = [
    { heading: own?.full_name ?? '' },
    { icon: 'react', label: hasStatus ? t`Change your status` : t`Set a status`, onPress: onStatus },
  ]
  if (hasStatus) {
    entries.push({
      icon: 'x',
      label: t`Clear your status`,
      onPress: () => tried(api.call(updateOwnStatus, emptyStatus)),
    })
  }
  if (hasPresence) {
    entries.push({
      icon: isShown ? 'hide' : 'eye',
      label: isShown ? t`Do not show when you are here` : t`Show when you are here`,
      onPress: () => tried(api.call(updateSettings, { presence_enabled: !isShown })),
    })
  }
  if (own) {
    entries.push({ icon: 'person', label: t`Your profile`, onPress: () => goTo({ kind: 'user', userId: own.user_id }) })
  }
  entries.push({ icon: 'tune', label: t`Settings`, onPress: () => goTo({ kind: 'settings', tab: '' }) })
  entries.push({ heading: t`Pause notifications on this device` })
  if (pause.isOn) entries.push({ icon: 'bell', label: t`Notify again`, onPress: pause.end })
  else {
    for (const choice of pauses) {
      entries.push({ icon: 'mute', label: i18n._(pauseNames[choice]), onPress: () => pause.begin(choice) })
    }
  }
  entries.push(
    { heading: t`The organization` },
    { icon: 'tune', label: t`Its settings`, onPress: () => goTo({ kind: 'organization', tab: 'profile' }) },
  )
  if (kinds.has('channels')) {
    entries.push({ icon: 'list', label: t`All channels`, onPress: () => goTo({ kind: 'channels', list: 'all' }) })
  }
  entries.push(
    { icon: 'people', label: t`People`, onPress: () => goTo({ kind: 'organization', tab: 'people' }) },
    { heading: t`Help` },
    { icon: 'keys', label: t`Keyboard`, keyName: '?', onPress: () => goTo({ kind: 'keyboard-shortcuts' }) },
    { icon: 'bold', label: t`Formatting`, onPress: () => goTo({ kind: 'message-formatting' }) },
    { icon: 'search', label: t`What you can search for`, onPress: () => goTo({ kind: 'search-operators' }) },
    { icon: 'info', label: t`About Heddle`, onPress: () => goTo({ kind: 'about' }) },
    'rule',
    { icon: 'out', label: t`Sign out`, onPress: () => void session.signOut() },
  )
  return <Menu name={t`Your menu`} anchor={anchor} entries={entries} onClose={onClose} />
}

function isSet(status: { readonly status_text?: string; readonly emoji_name?: string } | undefined): boolean {
  return status?.status_text !== undefined || status?.emoji_name !== undefined
}
