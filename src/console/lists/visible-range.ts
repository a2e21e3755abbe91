interface Scrolled {
  /** Top of the list, relative to the screen. */
  top: number;
  screen: number;
  rowHeight: number;
  count: number;
}

/** Rows drawn beyond each edge of the screen, so that scrolling shows no gap. */
const nearby = 12;

/** First row to draw, and the one after the last. */
export function visibleRange(
  { top, screen, rowHeight, count }: Scrolled,
  margin = nearby,
): readonly [number, number] {
  const first = Math.floor(-top / rowHeight) - margin;
  const last = Math.ceil((screen - top) / rowHeight) + margin;
  const within = (row: number): number => Math.max(0, Math.min(count, row));
  return [within(first), within(last)];
}
