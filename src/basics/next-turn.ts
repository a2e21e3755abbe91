/** Lets everything else that is ready run first: long work that waits for this now and then does not delay requests. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
