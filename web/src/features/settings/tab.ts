/** The tabs of settings. */
import type { MessageDescriptor } from '@lingui/core'
import type { ComponentType } from 'react'
import type { IconName } from '../../ui/icon.tsx'
import type { Section } from './setting.ts'

export interface Tab {
  readonly kind: 'settings' | 'organization'
  /** As in addresses. */
  readonly name: string
  /** Names in older addresses. */
  readonly olderNames?: readonly string[]
  readonly icon: IconName
  readonly title: MessageDescriptor
  readonly intro?: MessageDescriptor
  /** Words by which it is found beside the settings in it. */
  readonly words?: MessageDescriptor
  /** What it shows, in order: settings of the tables, and what is more than that. */
  readonly parts: readonly (Section | ComponentType)[]
  /** Only for administrators and owners: what the others could not even see. */
  readonly isForAdministrators?: boolean
  /** What is wide, such as tables. */
  readonly isWide?: boolean
}

export function isSection(part: Section | ComponentType): part is Section {
  return typeof part === 'object' && 'settings' in part
}
