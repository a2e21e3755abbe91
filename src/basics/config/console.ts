/** Settings of the web console; part of the settings in `config.ts`. */
export const consoleSettings = {
  ALM_CONSOLE: ['on', 'off: do not serve the web console'],
  ALM_CONSOLE_HTTP: [
    '0',
    '1: browsers on other machines may sign in over plain http; everyone on the network can then take over their sessions',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type ConsoleSetting = keyof typeof consoleSettings;

export interface ConsoleConfig {
  served: boolean;
  /** Whether cookies are set over plain http beyond this machine. */
  overHttp: boolean;
}

export function readConsole(read: (name: ConsoleSetting) => string): ConsoleConfig {
  const served = read('ALM_CONSOLE');
  if (served !== 'on' && served !== 'off') throw new Error(`ALM_CONSOLE must be on or off, not "${served}".`);
  return { served: served === 'on', overHttp: read('ALM_CONSOLE_HTTP') === '1' };
}
