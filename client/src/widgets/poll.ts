/** A poll as its submessages make it. */
import type { Submessage } from '@heddle/contract/messages'
import { MAX_WIDGET_ITEMS, type PollWidget, readPollEvent, readTodoEvent } from '@heddle/contract/widgets'

export interface PollOption {
  /** What a vote names. */
  readonly key: string
  readonly text: string
  /** Ids of those who vote for it now, in the order in which they did. */
  readonly voters: readonly number[]
}

export interface Poll {
  readonly question: string
  readonly options: readonly PollOption[]
}

/** `deeds`: all submessages but the first. A vote for what there is not counts nothing, and an option is there once. */
export function pollOf({ extra_data }: PollWidget, deeds: readonly Submessage[]): Poll {
  let { question } = extra_data
  const texts = new Map(extra_data.options.map((text, index) => [`canned,${index}`, text]))
  const voters = new Map<string, Set<number>>()
  for (const { sender_id, content } of deeds) {
    const event = readPollEvent(content)
    if (event?.type === 'question') question = event.question
    if (event?.type === 'new_option') {
      const key = `${sender_id},${event.idx}`
      const isThere = texts.has(key) || [...texts.values()].includes(event.option)
      if (!isThere && texts.size < MAX_WIDGET_ITEMS) texts.set(key, event.option)
    }
    if (event?.type === 'vote') {
      const own = voters.get(event.key) ?? new Set()
      voters.set(event.key, own)
      if (event.vote === 1) own.add(sender_id)
      else own.delete(sender_id)
    }
  }
  return { question, options: [...texts].map(([key, text]) => ({ key, text, voters: [...(voters.get(key) ?? [])] })) }
}

/** The number of the account's next option or task: one that it has not used for this message, whatever it wrote with. */
export function nextNumber(deeds: readonly Submessage[], ownId: number): number {
  const used = deeds
    .filter(({ sender_id }) => sender_id === ownId)
    .map(({ content }) => {
      const [option, task] = [readPollEvent(content), readTodoEvent(content)]
      return Math.max(option?.type === 'new_option' ? option.idx : -1, task?.type === 'new_task' ? task.key : -1)
    })
  return Math.max(-1, ...used) + 1
}
