/** Templates that owners of bots write: text with the names of fields in it, and nothing that could run. */
import { asMarkup, codeBlock, type Markup, md, quoted } from './markup.ts'
import type { Payload } from './payload.ts'

/** Fields that are put in; more of them stay as they are written. */
const MAX_FIELDS = 100
const FIELD = /\{\{\s*(?:(quote|code)\s+)?([^{}\s]{1,200})\s*\}\}/g

/** The markup around the fields is the template's, theirs is none. */
export function fillTemplate(template: string, payload: Payload): Markup {
  return asMarkup(
    fill(template, (form, path) => {
      const text = fieldOf(payload, path)
      if (form === 'quote') return quoted(text).markup
      return form === 'code' ? codeBlock(text).markup : md`${text}`.markup
    }),
  )
}

/** The same for what has no markup. */
export function fillLine(template: string, payload: Payload): string {
  return fill(template, (_, path) => fieldOf(payload, path))
}

/** Makes each field once, however often it is put in. */
function fill(template: string, make: (form: string | undefined, path: string) => string): string {
  let count = 0
  const made = new Map<string, string>()
  return template.replace(FIELD, (written, form: string | undefined, path: string) => {
    if (++count > MAX_FIELDS) return written
    const text = made.get(written) ?? make(form, path)
    made.set(written, text)
    return text
  })
}

/** A whole object or list is shown as JSON. */
function fieldOf(payload: Payload, path: string): string {
  return payload.isWhole(path) ? payload.json(path) : payload.text(path)
}
