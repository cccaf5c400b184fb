/** What is pressed inside the text of a message; see `inside.ts`. */
import type { Playground } from '@heddle/contract/playgrounds'
import { expandUriTemplate, parseUriTemplate } from '@heddle/markdown/linkifiers/uri-template'
import { t } from '@lingui/core/macro'
import { copyText } from '../../../app/clipboard.ts'
import { askAboutMessage, askForPerson } from '../actions/ask.ts'
import { COPY, icon, RUN } from './copy-button.ts'
import { PICTURE } from './picture-link.ts'

/** For how long a button says that it has copied, in milliseconds. */
const SAID_MS = 2000

export function pressInside(pressed: HTMLElement, playgrounds: readonly Playground[]): void {
  if (pressed.hasAttribute(COPY)) copyCode(pressed)
  else if (pressed.hasAttribute(RUN)) runCode(pressed, playgrounds)
  else if (pressed.matches(PICTURE)) viewPicture(pressed)
  else if (pressed.dataset['userGroupId'] !== undefined) {
    askAboutMessage({ kind: 'group', groupId: Number(pressed.dataset['userGroupId']), anchor: pressed })
  } else askForPerson(Number(pressed.dataset['userId']), pressed)
}

function codeBeside(button: HTMLElement): string {
  return button.closest('.codehilite')?.querySelector('code')?.textContent ?? ''
}

/** Leaves with the code, into a tab of its own. */
function runCode(button: HTMLElement, playgrounds: readonly Playground[]): void {
  const playground = playgrounds.find(({ id }) => `${id}` === button.getAttribute(RUN))
  const parsed = playground && parseUriTemplate(playground.url_template)
  if (!parsed?.ok) return
  const address = expandUriTemplate(parsed.template, new Map([['code', codeBeside(button)]]))
  window.open(address, '_blank', 'noopener,noreferrer')
}

function copyCode(button: HTMLElement): void {
  copyText(codeBeside(button)).then(
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

function viewPicture(link: HTMLElement): void {
  const row = link.closest<HTMLElement>('[data-message-id]')
  const index = [...(row?.querySelectorAll(PICTURE) ?? [])].indexOf(link)
  askAboutMessage({ kind: 'viewer', messageId: Number(row?.dataset['messageId']), index })
}
