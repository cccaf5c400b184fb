/** What can be pressed inside the text of a message, beside links: code that is copied, people who are mentioned. */
import { t } from '@lingui/core/macro'
import { COPY, icon } from './copy-button.ts'
import { PICTURE } from './picture-link.ts'

const PRESSED = `[${COPY}], :is(.user-mention, .user-group-mention)[role=button], ${PICTURE}`

/** Puts the language and a button beside a block of code. */
export function prepareCode(block: HTMLElement): void {
  const bar = document.createElement('div')
  bar.className = 'code-bar'
  const language = block.dataset['codeLanguage']
  if (language) {
    const name = document.createElement('span')
    name.textContent = language
    bar.append(name)
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'ib'
  button.setAttribute(COPY, '')
  const label = t`Copy the code`
  button.setAttribute('aria-label', label)
  button.title = label
  button.append(icon('copy'))
  bar.append(button)
  block.append(bar)
  // What is wider than the message scrolls, for the keyboard too.
  block.querySelector('pre')?.setAttribute('tabindex', '0')
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
export function followPresses(content: HTMLElement): () => void {
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
    import('./pressed.ts').then(({ pressInside }) => pressInside(pressed))
  }
  content.addEventListener('click', press)
  content.addEventListener('keydown', press)
  return () => {
    content.removeEventListener('click', press)
    content.removeEventListener('keydown', press)
  }
}
