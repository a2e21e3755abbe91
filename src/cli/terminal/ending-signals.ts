const numbers = { SIGHUP: 1, SIGTERM: 15 } as const;

export type EndingSignal = keyof typeof numbers;

/** What a shell shows of a program that such a signal ended. */
export const codeOfSignal = (signal: EndingSignal): number => 128 + numbers[signal];

/** Calls back instead of ending the program on the spot, until told not to. */
export function onEndingSignal(callback: (signal: EndingSignal) => void): () => void {
  const signals = Object.keys(numbers) as EndingSignal[];
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
}
