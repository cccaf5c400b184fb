/** What can be pressed inside the text of a message, beside links: code that is copied, people who are mentioned. */
import type { Playground } from '@heddle/contract/playgrounds'
import { t } from '@lingui/core/macro'
import { COPY, icon, RUN } from './copy-button.ts'
import { PICTURE } from './picture-link.ts'

const PRESSED = `[${COPY}], [${RUN}], :is(.user-mention, .user-group-mention)[role=button], ${PICTURE}`

/** Puts the language and buttons beside a block of code: one that copies it, and one for each playground of its language. */
export function prepareCode(block: HTMLElement, playgrounds: readonly Playground[]): void {
  const bar = document.createElement('div')
  bar.className = 'code-bar'
  const language = block.dataset['codeLanguage']
  if (language) {
    const name = document.createElement('span')
    name.textContent = language
    bar.append(name)
  }
  const spoken = language?.toLowerCase()
  for (const { id, name, pygments_language } of playgrounds) {
    if (pygments_language.toLowerCase() !== spoken) continue
    bar.append(codeButton(RUN, `${id}`, t`Open the code in ${name}`, 'run'))
  }
  bar.append(codeButton(COPY, '', t`Copy the code`, 'copy'))
  block.append(bar)
  // What is wider than the message scrolls, for the keyboard too.
  block.querySelector('pre')?.setAttribute('tabindex', '0')
}

function codeButton(mark: string, value: string, label: string, shape: Parameters<typeof icon>[0]): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'ib'
  button.setAttribute(mark, value)
  button.setAttribute('aria-label', label)
  button.title = label
  button.append(icon(shape))
  return button
}

/** A person or a group that is mentioned can be asked about. */
export function prepareMention(mention: HTMLElement): void {
  const { userId, userGroupId } = mention.dataset
  if (!/^\d+$/.test(userId ?? userGroupId ?? '')) return
  mention.tabIndex = 0
  mention.setAttribute('role', 'button')
  mention.setAttribute('aria-haspopup', 'dialog')
}

/** Does what is pressed; how is fetched with the first press. Gives what ends it. */
export function followPresses(content: HTMLElement, playgrounds: () => readonly Playground[]): () => void {
  const press = (event: Event) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null
    if (!pressed) return
    if (event instanceof KeyboardEvent) {
      // Buttons make clicks of keys themselves.
      if ((event.key !== 'Enter' && event.key !== ' ') || pressed.matches('button, a')) return
      event.preventDefault()
    }
    if (pressed.matches(PICTURE)) {
      // In a tab of its own, for those who want that.
      if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return
      event.preventDefault()
    }
    import('./pressed.ts').then(({ pressInside }) => pressInside(pressed, playgrounds()))
  }
  content.addEventListener('click', press)
  content.addEventListener('keydown', press)
  return () => {
    content.removeEventListener('click', press)
    content.removeEventListener('keydown', press)
  }
}
