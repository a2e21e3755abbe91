/** Settings of passes over stacks and of the end of a server; part of the settings in `config.ts`. */
export const passSettings = {
  ALM_PASSES: ['16', 'passes over stacks at a time; those that wait for a slow cloud are not counted'],
  ALM_PASSES_PER_CREDENTIAL: [
    '',
    'passes at a time over stacks of one credential; default: a quarter of ALM_PASSES',
  ],
  ALM_PASS_LIMIT: ['30', 'seconds after which a pass ends if its cloud does not answer'],
  ALM_STOP_DELAY: [
    '0',
    'seconds after SIGTERM in which the server still serves, but is not ready: until load balancers have noticed',
  ],
  ALM_STOP_LIMIT: ['6', 'seconds after which a server that stops ends, whatever still runs'],
} as const satisfies Record<string, readonly [string, string]>;

type PassSetting = keyof typeof passSettings;

export interface PassConfig {
  atOnce: number;
  perCredential: number;
  limitMs: number;
}

export interface StopConfig {
  delayMs: number;
  limitMs: number;
}

interface Readers {
  read: (name: PassSetting) => string;
  number: (name: PassSetting, min: number, max: number) => number;
}

interface LoadConfig {
  passes: PassConfig;
  stop: StopConfig;
}

export function readPasses({ read, number }: Readers): LoadConfig {
  const atOnce = Math.trunc(number('ALM_PASSES', 1, 1000));
  const perCredential =
    read('ALM_PASSES_PER_CREDENTIAL') === ''
      ? Math.ceil(atOnce / 4)
      : Math.trunc(number('ALM_PASSES_PER_CREDENTIAL', 1, 1000));
  return {
    passes: { atOnce, perCredential, limitMs: number('ALM_PASS_LIMIT', 1, 3600) * 1000 },
    stop: {
      delayMs: number('ALM_STOP_DELAY', 0, 3600) * 1000,
      limitMs: number('ALM_STOP_LIMIT', 1, 3600) * 1000,
    },
  };
}
