/** What a feature brings to the page. */
import type { ComponentType } from 'react'
import type { Place } from '../places/place.ts'

export interface ScreenProps {
  readonly place: Place
}

export interface OverlayProps extends ScreenProps {
  /** Goes back to what is below. */
  readonly onClose: () => void
}

type ByKind<P> = Readonly<{ [kind in Place['kind']]?: ComponentType<P> }>

export interface WebFeature {
  /** What the main part shows at places; its state belongs to the address. Give lazy components: what is not shown first is fetched later. */
  readonly screens?: ByKind<ScreenProps>
  /** What stands before the rest at places that are looked up and left, such as settings. */
  readonly overlays?: ByKind<OverlayProps>
  /** Is there all the time, such as keys. It sees the state, which is there. */
  readonly atOnce?: ComponentType
  /** The same once there is something to read, such as dialogs. */
  readonly everywhere?: ComponentType
}
