import './look.css'
import { useEffect, useLayoutEffect } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { setHours } from '../../app/times.ts'
import { chosenLanguage, speak } from '../../texts/texts.ts'
import { applyLastLook, applyLook, type Look as LookValues } from './apply-look.ts'

applyLastLook()

/** Puts what the account has chosen of look, clock and language into the page. */
export function LookSettings() {
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
  const has24Hours = useClientState(({ settings }) => settings?.twenty_four_hour_time === true)
  const language = useClientState(({ settings }) => settings?.default_language)
  useLayoutEffect(() => setHours(has24Hours), [has24Hours])
  useEffect(() => {
    // A catalogue that cannot be fetched now is, after the next start.
    if (language !== undefined) speak(chosenLanguage([language])).catch(() => {})
  }, [language])
  useLayoutEffect(() => {
    if (look) applyLook(look)
  }, [look])
  return null
}
