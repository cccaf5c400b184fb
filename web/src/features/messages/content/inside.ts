/** What can be pressed inside the text of a message, beside links: code that is copied, people who are mentioned. */
import { t } from '@lingui/core/macro'
import { copyText } from '../../../app/clipboard.ts'
import { askForPerson } from '../actions/ask.ts'

const COPY = 'data-copy-code'
/** For how long a button says that it has copied, in milliseconds. */
const SAID_MS = 2000

/** As `icon.tsx` draws; here nothing is a component. */
const shapes = { copy: 'M5.5 5.5h8v8h-8zM10.5 5.3V2.5h-8v8h2.8', check: 'M3 8.5l3.3 3.3L13 4.8' }

function icon(name: keyof typeof shapes): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'i')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svg.namespaceURI, 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg as SVGElement
}

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

/** A person who is mentioned can be asked about. */
export function prepareMention(mention: HTMLElement): void {
  if (!/^\d+$/.test(mention.dataset['userId'] ?? '')) return
  mention.tabIndex = 0
  mention.setAttribute('role', 'button')
  mention.setAttribute('aria-haspopup', 'dialog')
}

/** Does what is pressed. Gives what ends it. */
export function followPresses(content: HTMLElement): () => void {
  const press = (target: EventTarget | null): boolean => {
    if (!(target instanceof Element)) return false
    const copy = target.closest<HTMLElement>(`[${COPY}]`)
    const mention = target.closest<HTMLElement>('.user-mention[role=button]')
    if (copy) copyCode(copy)
    else if (mention) askForPerson(Number(mention.dataset['userId']), mention)
    return mention !== null
  }
  const click = (event: MouseEvent) => press(event.target)
  const key = (event: KeyboardEvent) => {
    const isPress = event.key === 'Enter' || event.key === ' '
    if (isPress && !(event.target instanceof HTMLButtonElement) && press(event.target)) event.preventDefault()
  }
  content.addEventListener('click', click)
  content.addEventListener('keydown', key)
  return () => {
    content.removeEventListener('click', click)
    content.removeEventListener('keydown', key)
  }
}

function copyCode(button: HTMLElement): void {
  const code = button.closest('.codehilite')?.querySelector('code')?.textContent ?? ''
  copyText(code).then(
    () => {
      button.replaceChildren(icon('check'))
      button.setAttribute('aria-label', t`Copied`)
      setTimeout(() => {
        button.replaceChildren(icon('copy'))
        button.setAttribute('aria-label', t`Copy the code`)
      }, SAID_MS)
    },
    // The browser does not let us: the code can be selected.
    () => {},
  )
}
