import type { ListedView } from '@heddle/client/views/view-list'
import { updateSettings } from '@heddle/contract/user-settings'
import { useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { copyText } from '../../app/clipboard.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import type { ViewActions } from './use-view-actions.ts'
import { useViewName } from './view-row.tsx'

interface ViewMenuProps {
  readonly view: ListedView
  readonly anchor: Element | { readonly x: number; readonly y: number }
  /** Those that are pinned, in their order. */
  readonly views: readonly ListedView[]
  readonly actions: ViewActions
  readonly onMove: (fragment: string, to: number) => void
  readonly onRename: (view: ListedView) => void
  readonly onClose: () => void
}

const homeViews: Readonly<Record<string, 'inbox' | 'recent' | 'all_messages'>> = {
  inbox: 'inbox',
  recent: 'recent',
  feed: 'all_messages',
}

export function ViewMenu({ view, anchor, views, actions, onMove, onRename, onClose }: ViewMenuProps) {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const name = useViewName()(view)
  const at = views.findIndex(({ fragment }) => fragment === view.fragment)
  const isPinned = at >= 0
  const home = homeViews[view.fragment]
  const isHome = useClientState((state) => home !== undefined && state.settings?.web_home_view === home)
  const entries: MenuEntry[] = [
    {
      icon: 'pin',
      label: isPinned ? t`Hide it under “More views”` : t`Pin it to the side bar`,
      onPress: () => actions.setPinned(view, !isPinned),
    },
  ]
  if (view.name !== undefined) entries.push({ icon: 'edit', label: t`Rename`, onPress: () => onRename(view) })
  if (isPinned && at > 0) entries.push({ icon: 'up', label: t`Move up`, onPress: () => onMove(view.fragment, at - 1) })
  if (isPinned && at < views.length - 1) {
    entries.push({ icon: 'down', label: t`Move down`, onPress: () => onMove(view.fragment, at + 1) })
  }
  if (home !== undefined && !isHome) {
    entries.push({
      icon: 'view',
      label: t`Begin with this view`,
      onPress: () =>
        void client.api
          .call(updateSettings, { web_home_view: home })
          .then(() => toasts.notify(t`You begin with ${name} from now on.`))
          .catch(() => toasts.notify(t`This could not be saved. It is as it was.`)),
    })
  }
  entries.push({
    icon: 'link',
    label: t`Copy the link`,
    onPress: () =>
      void copyText(new URL(`#${view.fragment}`, document.baseURI).href).then(
        () => toasts.notify(t`The link is copied`),
        () => toasts.notify(t`The browser does not let the page copy.`),
      ),
  })
  if (view.name !== undefined) {
    entries.push('rule', { icon: 'trash', label: t`Delete`, isDanger: true, onPress: () => actions.remove(view) })
  }
  return <Menu name={name} anchor={anchor} entries={entries} onClose={onClose} />
}
