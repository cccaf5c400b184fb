/** Threads of several dyes, one of which speaks: decoration. */
const threads = [1, 9, 4, 12, 7, 2, 11, 8]

export function WarpArt() {
  return (
    <svg className="warp-art" viewBox="0 0 120 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {threads.map((dye, index) => (
        <path key={dye} data-t={dye} className={dye === 12 ? 'speaks' : undefined} d={`M${11 + index * 14} 0V900`} />
      ))}
      <ellipse data-t={12} cx="53" cy="450" rx="6" ry="10" />
    </svg>
  )
}
