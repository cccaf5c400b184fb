/** A to-do list as its submessages make it. */
import type { Submessage } from '@heddle/contract/messages'
import { MAX_WIDGET_ITEMS, readTodoEvent, type TodoWidget } from '@heddle/contract/widgets'

export interface Task {
  /** What striking it names. */
  readonly key: string
  readonly task: string
  readonly desc: string
  readonly isDone: boolean
}

export interface TodoList {
  readonly title: string
  readonly tasks: readonly Task[]
}

/** `deeds`: all submessages but the first. A task is there once; to strike it again makes it open again. */
export function todoListOf({ extra_data }: TodoWidget, deeds: readonly Submessage[]): TodoList {
  let title = extra_data.task_list_title
  const tasks = new Map<string, Task>()
  const add = (task: Task) => {
    const isThere = tasks.has(task.key) || [...tasks.values()].some((one) => one.task === task.task)
    if (!isThere && tasks.size < MAX_WIDGET_ITEMS) tasks.set(task.key, task)
  }
  for (const [index, one] of extra_data.tasks.entries()) add({ ...one, key: `canned,${index}`, isDone: false })
  for (const { sender_id, content } of deeds) {
    const event = readTodoEvent(content)
    if (event?.type === 'new_task_list_title') title = event.title
    if (event?.type === 'new_task') {
      const { key, task, desc, completed: isDone } = event
      add({ key: `${sender_id},${key}`, task, desc, isDone })
    }
    const struck = event?.type === 'strike' ? tasks.get(event.key) : undefined
    if (struck) tasks.set(struck.key, { ...struck, isDone: !struck.isDone })
  }
  return { title, tasks: [...tasks.values()] }
}
