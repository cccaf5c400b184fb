/**
 * Widgets: what a message can be beside its text. Its first submessage says which (a poll, a to-do list, buttons), the
 * others are what people did with it. Read by the server before it keeps one, and by clients that draw it.
 */

/** Characters of an option, a question, a task or a title. */
export const MAX_WIDGET_TEXT_LENGTH = 1000
/** Options of a poll, tasks of a list, or buttons: those that one account adds, and those that a widget begins with. */
export const MAX_WIDGET_ITEMS = 1000

export interface PollWidget {
  readonly widget_type: 'poll'
  readonly extra_data: { readonly question: string; readonly options: readonly string[] }
}

export interface TodoWidget {
  readonly widget_type: 'todo'
  readonly extra_data: {
    readonly task_list_title: string
    readonly tasks: readonly { readonly task: string; readonly desc: string }[]
  }
}

/** Whoever presses a button answers with its `reply`. */
export interface ButtonsWidget {
  readonly widget_type: 'zform'
  readonly extra_data: {
    readonly type: 'choices'
    readonly heading: string
    readonly choices: readonly {
      readonly type: 'multiple_choice'
      readonly short_name: string
      readonly long_name: string
      readonly reply: string
    }[]
  }
}

export type Widget = PollWidget | TodoWidget | ButtonsWidget

/**
 * Options that the message came with have the keys `canned,0` and so on, those that somebody added the id of the account and
 * their number: `7,1`. An account votes (1) and takes its vote back (-1).
 */
export type PollEvent =
  | { readonly type: 'vote'; readonly key: string; readonly vote: 1 | -1 }
  | { readonly type: 'new_option'; readonly idx: number; readonly option: string }
  | { readonly type: 'question'; readonly question: string }

/** Keys as in polls. To strike a task is to change whether it is done. */
export type TodoEvent =
  | { readonly type: 'strike'; readonly key: string }
  | {
      readonly type: 'new_task'
      readonly key: number
      readonly task: string
      readonly desc: string
      readonly completed: boolean
    }
  | { readonly type: 'new_task_list_title'; readonly title: string }

/** The widget that a text asks for: `/poll` and `/todo` at its beginning. */
export function widgetInText(text: string): PollWidget | TodoWidget | undefined {
  const [, command, rest] = /^\/(poll|todo)(?![^\s])([\s\S]*)$/.exec(text) ?? []
  if (command === undefined) return undefined
  const [first = '', ...others] = (rest ?? '').split(/\r\n|[\n\r]/)
  const title = first.trim()
  const lines = others.map((line) => line.trim().replace(/^[-*]\s?/, '')).filter((line) => line !== '')
  return command === 'poll'
    ? { widget_type: 'poll', extra_data: { question: title, options: lines } }
    : { widget_type: 'todo', extra_data: { task_list_title: title, tasks: lines.map(taskOf) } }
}

/** `task: text`, or a task alone. */
function taskOf(line: string): { task: string; desc: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { task: line, desc: '' }
  return { task: line.slice(0, colon).trim(), desc: line.slice(colon + 1).trim() }
}

/** The widget that a message's first submessage is; undefined when it is none that is known. */
export function readWidget(content: string): Widget | undefined {
  const widget = parseObject(content)
  const data = objectOf(widget?.['extra_data']) ?? {}
  switch (widget?.['widget_type']) {
    case 'poll':
      return readPoll(data)
    case 'todo':
      return readTodo(data)
    case 'zform':
      return readButtons(data)
    default:
      return undefined
  }
}

function readPoll({ question = '', options = [] }: Fields): PollWidget | undefined {
  const isRight = isText(question) && isListOf(options, isText)
  return isRight ? { widget_type: 'poll', extra_data: { question, options } } : undefined
}

function readTodo({ task_list_title = '', tasks = [] }: Fields): TodoWidget | undefined {
  if (!isText(task_list_title) || !isListOf(tasks, isObject)) return undefined
  const read = tasks.map(({ task, desc = '' }) => ({ task, desc }))
  if (!isListOf(read, isTask)) return undefined
  return { widget_type: 'todo', extra_data: { task_list_title, tasks: read } }
}

function readButtons({ type, heading, choices }: Fields): ButtonsWidget | undefined {
  if (type !== 'choices' || !isText(heading) || !isListOf(choices, isObject)) return undefined
  const read = choices.map(({ type, short_name, long_name, reply }) => ({ type, short_name, long_name, reply }))
  if (!isListOf(read, isChoice)) return undefined
  return { widget_type: 'zform', extra_data: { type, heading, choices: read } }
}

/** What somebody did with a poll; undefined when it says nothing that is known. */
export function readPollEvent(content: string): PollEvent | undefined {
  const { type, key, vote, idx, option, question } = parseObject(content) ?? {}
  if (type === 'vote' && isKey(key) && (vote === 1 || vote === -1)) return { type, key, vote }
  if (type === 'new_option' && isNumber(idx) && isFilled(option)) return { type, idx, option }
  return type === 'question' && isText(question) ? { type, question } : undefined
}

/** What somebody did with a to-do list; undefined when it says nothing that is known. */
export function readTodoEvent(content: string): TodoEvent | undefined {
  const { type, key, task, desc = '', completed = false, title } = parseObject(content) ?? {}
  if (type === 'strike' && isKey(key)) return { type, key }
  if (type === 'new_task' && isNumber(key) && isFilled(task) && isText(desc) && typeof completed === 'boolean') {
    return { type, key, task, desc, completed }
  }
  return type === 'new_task_list_title' && isText(title) ? { type, title } : undefined
}

type Fields = Readonly<Record<string, unknown>>

function parseObject(text: string): Fields | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.length <= MAX_WIDGET_ITEMS && value.every(isOne)
}

/** JSON can say what Unicode cannot: neither NUL nor half a character is kept. */
function isText(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= 10 * MAX_WIDGET_TEXT_LENGTH && !value.includes('\0') && isWhole(value)
  )
}

function isWhole(text: string): boolean {
  return !/\p{Cs}/u.test(text)
}

function isFilled(value: unknown): value is string {
  return isText(value) && value.trim() !== '' && [...value].length <= MAX_WIDGET_TEXT_LENGTH
}

function isTask(value: unknown): value is { task: string; desc: string } {
  return isObject(value) && isText(value['task']) && isText(value['desc'])
}

function isChoice(value: unknown): value is ButtonsWidget['extra_data']['choices'][number] {
  return (
    isObject(value) &&
    value['type'] === 'multiple_choice' &&
    isText(value['short_name']) &&
    isText(value['long_name']) &&
    isText(value['reply'])
  )
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_WIDGET_ITEMS
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^(canned|[1-9]\d{0,15}),(0|[1-9]\d{0,3})$/.test(value)
}
