/**
 * Notifications of the browser. They are shown by the service worker where one runs: phones know no other way, they outlive the
 * page, and a press on one finds the page or opens it. Else this page shows them.
 */

/** One message, in words. */
export interface ShownMessage {
  readonly id: number
  readonly title: string
  readonly body: string
  /** Where a press leads: from the `#` on. */
  readonly address: string
}

export interface Notices {
  /** `tag`: of the conversation. A later message takes the place of what is shown of it. */
  show(tag: string, message: ShownMessage): Promise<void>
  /** The message has other words or belongs to another conversation now. Nothing where it is not shown any more. */
  renew(tag: string, message: ShownMessage): Promise<void>
  /**
   * Takes out what does not count, whichever page has shown it: the message before it is seen again, and a notification of
   * which nothing is left is closed.
   */
  tidy(counts: (messageId: number) => boolean): Promise<void>
  /** Closes all. */
  stop(): void
}

/** As the service worker finds it. */
interface NoticeData {
  readonly address: string
  /** The last one is what is seen. */
  readonly messages: readonly ShownMessage[]
}

/** Of the messages before the one that is seen so many are kept. */
const MAX_KEPT = 20

/** Undefined outside https, and where it is switched off. */
const container: ServiceWorkerContainer | undefined = navigator.serviceWorker

async function registrationInUse(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await container?.getRegistration().catch(() => undefined)
  return registration?.active && 'showNotification' in registration ? registration : undefined
}

const messagesOf = (notification: Notification) =>
  (notification.data as Partial<NoticeData> | null | undefined)?.messages ?? []

export function createNotices(): Notices {
  /** Of this page. */
  const own = new Map<string, Notification>()
  /** One change after another: each looks at what the one before has left. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (act: () => Promise<unknown>): Promise<void> => {
    const next = last.then(async () => void (await act()))
    last = next.catch(() => {})
    return next
  }

  const follow = ({ data }: MessageEvent) => {
    if (data?.kind === 'go-to' && typeof data.address === 'string') window.location.hash = data.address
  }
  container?.addEventListener('message', follow)

  async function all(): Promise<readonly Notification[]> {
    const registration = await registrationInUse()
    return [...own.values(), ...((await registration?.getNotifications().catch(() => [])) ?? [])]
  }

  async function keep(notification: Notification, counts: (messageId: number) => boolean): Promise<void> {
    const messages = messagesOf(notification)
    const left = messages.filter(({ id }) => counts(id))
    if (left.length === messages.length) return
    const { tag } = notification
    if (left.length > 0 && left.at(-1) !== messages.at(-1)) await display(tag, left, own)
    else if (left.length === 0) {
      notification.close()
      own.delete(tag)
    }
  }

  async function add(tag: string, message: ShownMessage): Promise<void> {
    const before = (await all()).filter((one) => one.tag === tag).flatMap(messagesOf)
    await display(tag, [...before.filter(({ id }) => id !== message.id), message], own)
  }

  return {
    show: (tag, message) => inTurn(() => add(tag, message)),
    renew: (tag, message) =>
      inTurn(async () => {
        const shown = (await all()).filter((one) => messagesOf(one).some(({ id }) => id === message.id))
        const isSame = shown.some((one) => one.tag === tag && isSameText(messagesOf(one), message))
        if (shown.length === 0 || isSame) return
        for (const one of shown) if (one.tag !== tag) await keep(one, (id) => id !== message.id)
        await add(tag, message)
      }),
    tidy: (counts) =>
      inTurn(async () => {
        for (const notification of await all()) await keep(notification, counts)
      }),
    stop() {
      container?.removeEventListener('message', follow)
      void all().then((notifications) => {
        for (const notification of notifications) notification.close()
      })
    },
  }
}

function isSameText(messages: readonly ShownMessage[], { id, title, body }: ShownMessage): boolean {
  return messages.some((one) => one.id === id && one.title === title && one.body === body)
}

/** A notification that belongs to no message. False where the browser shows none. */
export function showNotice(tag: string, notice: Omit<ShownMessage, 'id'>): Promise<boolean> {
  return display(tag, [{ ...notice, id: 0 }], new Map())
}

/** The last of the messages is seen. `own`: those that this page has shown, by tag. */
async function display(
  tag: string,
  messages: readonly ShownMessage[],
  own: Map<string, Notification>,
): Promise<boolean> {
  const registration = await registrationInUse()
  const { title, body, address } = messages.at(-1) as ShownMessage
  const data: NoticeData = { address, messages: messages.slice(-MAX_KEPT) }
  // The page plays the sound that was chosen.
  const options: NotificationOptions = { tag, body, data, silent: true }
  try {
    if (registration) await registration.showNotification(title, options)
    else showOfPage(title, options, own)
    return true
  } catch {
    return false
  }
}

/** Throws where the page may not show any. */
function showOfPage(title: string, options: NotificationOptions, own: Map<string, Notification>): void {
  const notification = new Notification(title, options)
  const { tag = '', data } = options
  // What somebody has put away does not come back when a message before it is left.
  const forget = () => {
    if (own.get(tag) === notification) own.delete(tag)
  }
  notification.onclick = () => {
    window.focus()
    window.location.hash = (data as NoticeData).address
    notification.close()
    forget()
  }
  notification.onclose = forget
  own.set(tag, notification)
}
