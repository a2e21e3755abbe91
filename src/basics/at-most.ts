/** Runs what it is given, at most `most` at the same time; the others wait for their turn. */
export function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = (): Promise<void> | undefined => {
    if (running >= most) return new Promise((resolve) => waiting.push(resolve));
    running += 1;
    return undefined;
  };
  /** The next one takes the place over. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
