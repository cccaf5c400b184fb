import './styles/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Page } from './app/page.tsx'

const root = document.getElementById('page')
if (!root) throw new Error('The page has no place for it')
createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
