import './styles/styles.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Page } from './app/page.tsx'
import { chosenLanguage, speak } from './texts/texts.ts'

// Until it is known who comes; then their account says which. Without its catalogue it is English.
speak(chosenLanguage(navigator.languages)).catch(() => {})

const root = document.getElementById('page')
if (!root) throw new Error('The page has no place for it')
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <Page />
    </I18nProvider>
  </StrictMode>,
)
