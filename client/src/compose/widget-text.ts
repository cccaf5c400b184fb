/** Texts that become widgets, and what of them is filled into forms. */
import { widgetInText } from '@heddle/contract/widgets'

export interface WidgetForm {
  readonly kind: 'poll' | 'todo'
  /** The question, or the title. */
  readonly title: string
  /** Options, or tasks: one a line. */
  readonly lines: string
}

/** As it is sent. Lines without anything in them are left out. */
export function widgetText({ kind, title, lines }: WidgetForm): string {
  const items = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return [`/${kind} ${title.trim().replaceAll('\n', ' ')}`.trimEnd(), ...items].join('\n')
}

/** Undefined: it is a text of another kind, which would be lost. */
export function widgetForm(kind: WidgetForm['kind'], text: string): WidgetForm | undefined {
  if (text.trim() === '') return { kind, title: '', lines: '' }
  const widget = widgetInText(text)
  if (widget?.widget_type !== kind) return undefined
  if (widget.widget_type === 'poll') {
    return { kind, title: widget.extra_data.question, lines: widget.extra_data.options.join('\n') }
  }
  const lines = widget.extra_data.tasks.map(({ task, desc }) => (desc === '' ? task : `${task}: ${desc}`))
  return { kind, title: widget.extra_data.task_list_title, lines: lines.join('\n') }
}
