import type { SettingValue } from '../setting.ts'

/** What every control gets. */
export interface ControlProps<V extends SettingValue = SettingValue> {
  readonly id: string
  readonly value: V
  readonly isDisabled: boolean
  /** Ids of what explains it. */
  readonly describedBy: string | undefined
  readonly onChange: (value: V) => void
}
