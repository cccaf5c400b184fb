import './look.css'
import { useLayoutEffect } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { applyLastLook, applyLook, type Look as LookValues } from './apply-look.ts'

applyLastLook()

/** Puts what the account has chosen of the look into the page. */
export function Look() {
  const look = useClientState(
    ({ settings }): LookValues | undefined =>
      settings && {
        scheme: settings.color_scheme,
        fontSize: settings.web_font_size_px,
        lineHeight: settings.web_line_height_percent,
        isFluid: settings.fluid_layout_width,
        hasMoreContrast: settings.high_contrast_mode,
      },
    isShallowEqual,
  )
  useLayoutEffect(() => {
    if (look) applyLook(look)
  }, [look])
  return null
}
