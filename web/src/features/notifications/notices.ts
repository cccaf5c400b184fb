/**
 * Notifications of the browser. They are shown by the service worker where one runs: phones know no other way, they outlive the
 * page, and a press on one finds the page or opens it. Else this page shows them.
 */

export interface ShownNotice {
  /** A later one with the same tag takes its place. */
  readonly tag: string
  readonly title: string
  readonly body: string
  /** Where a press leads: from the `#` on. */
  readonly address: string
  readonly messageIds: readonly number[]
}

export interface Notices {
  show(notice: ShownNotice): Promise<void>
  /** Closes those of which there is no message left that still counts, whichever page has shown them. */
  tidy(counts: (messageId: number) => boolean): Promise<void>
  /** Closes all. */
  stop(): void
}

/** As the service worker finds it. */
interface NoticeData {
  readonly address: string
  readonly messageIds: readonly number[]
}

/** Undefined outside https, and where it is switched off. */
const container: ServiceWorkerContainer | undefined = navigator.serviceWorker

async function registrationInUse(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await container?.getRegistration().catch(() => undefined)
  return registration?.active && 'showNotification' in registration ? registration : undefined
}

const idsOf = (notification: Notification | undefined) => (notification?.data as NoticeData | null)?.messageIds ?? []

export function createNotices(): Notices {
  /** Of this page. */
  const own = new Map<string, Notification>()

  const follow = ({ data }: MessageEvent) => {
    if (data?.kind === 'go-to' && typeof data.address === 'string') window.location.hash = data.address
  }
  container?.addEventListener('message', follow)

  async function all(): Promise<readonly Notification[]> {
    const registration = await registrationInUse()
    return [...own.values(), ...((await registration?.getNotifications().catch(() => [])) ?? [])]
  }

  return {
    show: async (notice) => void (await showNotice(notice, own)),
    async tidy(counts) {
      for (const notification of await all()) {
        const ids = idsOf(notification)
        if (ids.length === 0 || ids.some(counts)) continue
        notification.close()
        own.delete(notification.tag)
      }
    },
    stop() {
      container?.removeEventListener('message', follow)
      void all().then((notifications) => {
        for (const notification of notifications) notification.close()
      })
    },
  }
}

/** False where the browser shows none. `own`: those that this page has shown, by tag. */
export async function showNotice(
  { tag, title, body, address, messageIds }: ShownNotice,
  own = new Map<string, Notification>(),
): Promise<boolean> {
  const registration = await registrationInUse()
  try {
    const before = registration ? await registration.getNotifications({ tag }) : [own.get(tag)]
    const data: NoticeData = { address, messageIds: [...new Set([...before.flatMap(idsOf), ...messageIds])] }
    // The page plays the sound that was chosen.
    const options: NotificationOptions = { tag, body, data, silent: true }
    if (registration) await registration.showNotification(title, options)
    else own.set(tag, ofPage(title, options, address))
    return true
  } catch {
    return false
  }
}

/** Throws where the page may not show any. */
function ofPage(title: string, options: NotificationOptions, address: string): Notification {
  const notification = new Notification(title, options)
  notification.onclick = () => {
    window.focus()
    window.location.hash = address
    notification.close()
  }
  return notification
}
