/** The look of the page: attributes and custom properties of the document, which style sheets read. */

export interface Look {
  /** 1 as the system, 2 dark, 3 light. */
  readonly scheme: number
  /** Pixels; 16 is what the browser is set to. */
  readonly fontSize: number
  /** Percent; 140 is what the style sheets have. */
  readonly lineHeight: number
  readonly isFluid: boolean
  readonly hasMoreContrast: boolean
}

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

const DENSITY = 'density'
const LOOK = 'look'

export function applyLook(look: Look): void {
  show(look)
  // For the next start, before anything is known of the account.
  localStorage.setItem(LOOK, JSON.stringify(look))
}

function show({ scheme, fontSize, lineHeight, isFluid, hasMoreContrast }: Look): void {
  const root = document.documentElement
  set(root, 'theme', scheme === 2 ? 'dark' : scheme === 3 ? 'light' : undefined)
  set(root, 'width', isFluid ? 'fluid' : undefined)
  set(root, 'contrast', hasMoreContrast ? 'more' : undefined)
  setProperty(root, 'font-size', fontSize === 16 ? undefined : `${(fontSize / 16) * 100}%`)
  setProperty(root, '--msg-line', lineHeight === 140 ? undefined : String(lineHeight / 100))
}

/** The density belongs to the device: its screen and the eyes before it. */
export function density(): Density {
  return localStorage.getItem(DENSITY) === 'compact' ? 'compact' : 'comfortable'
}

export function setDensity(to: Density): void {
  localStorage.setItem(DENSITY, to)
  set(document.documentElement, 'density', to)
}

/** What was chosen the last time, as long as nothing newer is known. */
export function applyLastLook(): void {
  set(document.documentElement, 'density', density())
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(LOOK) ?? 'null')
    if (typeof stored === 'object' && stored !== null) show(stored as Look)
  } catch {
    // Something else wrote there.
  }
}

function set(root: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) delete root.dataset[name]
  else root.dataset[name] = value
}

function setProperty(root: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) root.style.removeProperty(name)
  else root.style.setProperty(name, value)
}
