const numbers = { SIGHUP: 1, SIGTERM: 15 } as const;

export type EndingSignal = keyof typeof numbers;

/** Exit code of a program that the signal ended, as shells report it. */
export const codeOfSignal = (signal: EndingSignal): number => 128 + numbers[signal];

/** Handles the signals instead of ending the program; returns a function that removes the handlers. */
export function onEndingSignal(callback: (signal: EndingSignal) => void): () => void {
  const signals = Object.keys(numbers) as EndingSignal[];
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
}
