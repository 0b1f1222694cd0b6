/** Segment of a bar. `look` is the suffix of its CSS class. */
export interface Share {
  look: string;
  percent: number;
}

/**
 * Horizontal stacked bar. Omits empty segments. Widths are SVG attributes, because the content security policy forbids
 * inline styles.
 * @param label text for screen readers. Omit it if the same numbers are shown next to the bar, to hide the bar from
 * them
 */
export function ShareBar({
  shares,
  label,
  isSmall = false,
}: {
  shares: readonly Share[];
  label?: string;
  isSmall?: boolean;
}) {
  return (
    <div
      className={isSmall ? 'stackbar sm' : 'stackbar'}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {shares
        .filter(({ percent }) => percent > 0)
        .map(({ look, percent }) => (
          <svg
            key={look}
            className={`c-${look}`}
            width={`${percent}%`}
            preserveAspectRatio="none"
            viewBox="0 0 1 1"
            aria-hidden
          >
            <rect width="1" height="1" />
          </svg>
        ))}
    </div>
  );
}
