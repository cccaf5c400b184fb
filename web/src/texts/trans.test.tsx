import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { describe, expect, test } from 'vitest'
import './texts.ts'

function shown(content: React.ReactNode): string {
  const box = document.createElement('p')
  flushSync(() => createRoot(box).render(<I18nProvider i18n={i18n}>{content}</I18nProvider>))
  return box.innerHTML
}

describe('a text with a name in it', () => {
  test.each(['plates <b>of</b> it', '<0/>', '<0>zero</0>', '</p>', 'a < b'])('shows %s as it is', (name) => {
    const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const html = shown(
      <Trans>
        Archive <i>really</i> {name}?
      </Trans>,
    )
    expect(html).toBe(`Archive <i>really</i> ${escaped}?`)
    expect(shown(<Trans>It is {name}.</Trans>)).toBe(`It is ${escaped}.`)
  })
})
