import type { Clock } from '../basics/clock.ts';
import type { Sealer } from '../basics/secret.ts';
import type { Database } from '../store/database/database.ts';
import type { Vendors } from '../vendors/index.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { SshOptions } from './ssh/options.ts';

/** What every operation works with; wired once, in main. */
export interface Service {
  database: Database;
  clock: Clock;
  sealer: Sealer;
  vendors: Vendors;
  /** So that guesses at one password are checked one after the other, and the throttle sees each of them. */
  turns: KeyedMutex;
  /** Fires when the server begins to stop: whatever would go on for ever must end. */
  stopping: AbortSignal;
  /** How instances are reached by ssh; the usual way when absent. */
  ssh?: SshOptions;
  settings: {
    /** Existing clients post the password grant to v2 as well; the interface does not know it there. */
    passwordGrantOnV2: boolean;
    /** Where agents and links reach this service; no slash at the end. */
    baseUrl: string;
    /** Existing clients decode a v3 stack's instances only as an object from layer to list. */
    instancesByFlag: boolean;
    /** Whose stacks may be made of containers of this machine; `*`: everybody's; none named: the first account's. */
    dockerAccounts: readonly string[];
  };
}

/** What a secret is sealed for: opened for anything else, it does not open. */
export const sealedFor = {
  authToken: (stackId: string) => `stack ${stackId} auth token`,
  stackSecret: (stackId: string, name: string) => `stack ${stackId} secret ${name}`,
  credential: (accountId: string, vendor: string, id: string) =>
    `account ${accountId} credential ${vendor} ${id}`,
};
