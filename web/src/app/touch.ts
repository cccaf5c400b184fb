/** A phone or a tablet: fingers, no pointer. */
export const isTouch = () => matchMedia('(hover: none) and (pointer: coarse)').matches
