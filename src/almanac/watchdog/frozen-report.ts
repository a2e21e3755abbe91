/** What the thread of the watchdog asks the main thread for, while that is frozen: V8 interrupts it for this. */
const name = 'almanac frozen report';

/** Evaluated in the main thread. */
export const reportExpression = `globalThis[Symbol.for('${name}')]()`;

const stackFrames = 50;

/** The frames of the frozen call are below those of the interruption. */
const stackOfNow = (): string => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = stackFrames;
  const { stack = '' } = new Error('interrupted');
  Error.stackTraceLimit = before;
  return stack.split('\n').slice(1).join('\n');
};

export const offerReport = (runningRequests: () => readonly object[]): void => {
  const report = () => JSON.stringify({ requests: runningRequests(), stack: stackOfNow() });
  Object.assign(globalThis, { [Symbol.for(name)]: report });
};
