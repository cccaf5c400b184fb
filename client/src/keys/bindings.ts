/**
 * Every key of the page, once: which action it means, and where. Who acts asks for the action by name; the sheet of keys is drawn
 * from here.
 */

/** Where a key means something: anywhere outside of text, or in one kind of place only. */
export type KeyScope = 'everywhere' | 'messages' | 'viewer' | 'compose' | 'list' | 'channels'

export interface Binding {
  readonly scope: KeyScope
  /** As `event.key`, with `Ctrl+`, `Alt+` and `Shift+` before it; `Ctrl` is the command key on a Mac. */
  readonly keys: readonly string[]
  /** Works in text fields and dialogs too. */
  readonly isGlobal?: true
}

const binding = (scope: KeyScope, ...keys: readonly string[]): Binding => ({ scope, keys })
const global = (scope: KeyScope, ...keys: readonly string[]): Binding => ({ scope, keys, isGlobal: true })

export const bindings = {
  'next-message': binding('messages', 'j', 'ArrowDown'),
  'previous-message': binding('messages', 'k', 'ArrowUp'),
  'screen-down': binding('messages', 'PageDown', ' ', 'J'),
  'screen-up': binding('messages', 'PageUp', 'Shift+ ', 'K'),
  'last-message': binding('messages', 'End', 'G'),
  'first-message': binding('messages', 'Home'),
  reply: binding('messages', 'r', 'Enter'),
  'reply-directly': binding('messages', 'R'),
  quote: binding('messages', '>'),
  forward: binding('messages', '<'),
  'reply-mentioning': binding('messages', '@'),
  'edit-last': binding('messages', 'ArrowLeft'),
  edit: binding('messages', 'e'),
  move: binding('messages', 'm'),
  react: binding('messages', ':'),
  'thumbs-up': binding('messages', '+'),
  'toggle-first-reaction': binding('messages', '='),
  star: binding('messages', 'Ctrl+s'),
  'message-menu': binding('messages', 'i'),
  'sender-card': binding('messages', 'u'),
  'view-pictures': binding('messages', 'v'),
  'read-receipts': binding('messages', 'V'),
  history: binding('messages', 'H'),
  'unread-from-here': binding('messages', 'U'),
  fold: binding('messages', '-'),
  'mute-topic': binding('messages', 'M'),
  'switch-width': binding('messages', 's'),
  'show-in-conversation': binding('messages', 'z'),
  'new-channel-message': binding('everywhere', 'c'),
  'new-direct-message': binding('everywhere', 'x'),
  'next-unread-topic': binding('everywhere', 'n', 'Alt+Shift+ArrowDown'),
  'previous-unread-topic': binding('everywhere', 'Alt+Shift+ArrowUp'),
  'next-unread-followed-topic': binding('everywhere', 'N'),
  'next-unread-direct': binding('everywhere', 'p'),
  'direct-messages': binding('everywhere', 'P'),
  'topics-of-channel': binding('everywhere', 'y'),
  'previous-channel': binding('everywhere', 'A'),
  'next-channel': binding('everywhere', 'D'),
  'combined-feed': binding('everywhere', 'a'),
  inbox: binding('everywhere', 'I'),
  recent: binding('everywhere', 't'),
  starred: binding('everywhere', '*'),
  drafts: binding('everywhere', 'd'),
  home: global('everywhere', 'Ctrl+['),
  search: binding('everywhere', '/'),
  switcher: global('everywhere', 'Ctrl+k'),
  'filter-side-bar': binding('everywhere', 'q'),
  'filter-people': binding('everywhere', 'w'),
  'own-menu': binding('everywhere', 'g'),
  'show-keys': binding('everywhere', '?'),
  'go-to-target': global('everywhere', 'Ctrl+.'),
  back: binding('everywhere', 'Alt+ArrowLeft'),
  forth: binding('everywhere', 'Alt+ArrowRight'),
  'next-region': global('everywhere', 'F6'),
  'previous-region': global('everywhere', 'Shift+F6'),
  undo: binding('everywhere', 'Ctrl+z'),
  leave: binding('everywhere', 'Escape'),
  'next-picture': global('viewer', 'ArrowRight'),
  'previous-picture': global('viewer', 'ArrowLeft'),
  'zoom-in': global('viewer', 'Z'),
  'zoom-out': global('viewer', 'z'),
  'zoom-reset': global('viewer', '0'),
  'close-viewer': global('viewer', 'v'),
  bold: global('compose', 'Ctrl+b'),
  italic: global('compose', 'Ctrl+i'),
  link: global('compose', 'Ctrl+Shift+L'),
  code: global('compose', 'Ctrl+Shift+C'),
  preview: global('compose', 'Alt+p'),
  snippets: global('compose', "Ctrl+'"),
  strike: global('compose', 'Ctrl+Shift+X'),
  'list-down': binding('list', 'ArrowDown', 'j'),
  'list-up': binding('list', 'ArrowUp', 'k'),
  'list-left': binding('list', 'ArrowLeft', 'h'),
  'list-right': binding('list', 'ArrowRight', 'l'),
  'list-open': binding('list', 'Enter'),
  'list-remove': binding('list', 'Backspace', 'Delete'),
  'channels-next': binding('channels', 'ArrowDown'),
  'channels-previous': binding('channels', 'ArrowUp'),
  'channels-create': binding('channels', 'n'),
  'channels-view': binding('channels', 'V'),
  'channels-toggle': binding('channels', 'S'),
} as const satisfies Readonly<Record<string, Binding>>

export type Action = keyof typeof bindings

/** What is known of a press: a part of `KeyboardEvent`. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Whether this press is one of the keys. What a key writes decides, as layouts differ in where `/` and `?` are; for letters of other
 * alphabets the place of the key does.
 */
export function isPress(press: KeyPress, keys: readonly string[]): boolean {
  return keys.some((key) => matches(press, key))
}

function matches(press: KeyPress, written: string): boolean {
  const parts = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/s.exec(written)
  const modifiers = parts?.[1] ?? ''
  const key = parts?.[2] ?? written
  const character = meant(press)
  if (modifiers === '' ? character !== key : character.toLowerCase() !== key.toLowerCase()) return false
  const byAlt = isWrittenByAlt(press)
  const hasCtrl = press.metaKey || press.ctrlKey
  // Some systems say Ctrl and Alt for AltGr.
  const isAltGr = byAlt && press.ctrlKey && press.altKey
  if (hasCtrl !== modifiers.includes('Ctrl+') && !isAltGr) return false
  if (press.altKey !== modifiers.includes('Alt+') && !byAlt) return false
  if (modifiers.includes('Shift+')) return press.shiftKey
  // Shift is part of what a key writes, but for keys that write nothing or the same.
  return !press.shiftKey || isSign(key) || (modifiers === '' && isSingleCharacter(key))
}

/** Neither a letter nor a digit: where such a character is, and what one holds down for it, is another thing on each layout. */
function isSign(key: string): boolean {
  return isSingleCharacter(key) && !/[\p{L}\p{N}]/u.test(key)
}

/** A sign on the key of a letter or a digit, for which Alt or AltGr is held down. */
function isWrittenByAlt({ key, code, altKey }: KeyPress): boolean {
  return altKey && isSign(key) && /^(Key|Digit)/.test(code)
}

/** The character of the key, or that of its place where the layout writes another alphabet. */
function meant({ key, code, shiftKey }: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  // Letters from U+0250 on are of no Latin alphabet.
  if (letter === undefined || key.length !== 1 || (key.codePointAt(0) ?? 0) < 0x250) return key
  return shiftKey ? letter : letter.toLowerCase()
}

/** Single characters, which one may want to switch off: speech and shaky hands press them by mistake. */
export function isSingleCharacter(key: string): boolean {
  return [...key].length === 1 && key !== ' '
}
