import type { Clock } from '../basics/clock.ts';
import type { Secret } from '../basics/secret.ts';
import type { Database } from '../store/database/database.ts';
import type { RolloutRow } from '../store/stacks/rollouts.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import type { DataVendor } from '../vendors/data.ts';
import type { Driver } from '../vendors/vendor.ts';

/** Everything a pass needs from the service. Only `Unreachable` means an unreachable vendor; any other error is internal. */
export interface ReconcileTools {
  database: Database;
  clock: Clock;
  /** Runs what calls the vendor: it ends with `Unreachable` if the vendor does not answer in time. */
  limitCalls<T>(account: string, work: () => Promise<T>): Promise<T>;
  connect(stack: Pick<Claim, 'account_id' | 'vendor' | 'credential_id'>): Promise<Driver>;
  /** What the vendor of a stack knows about its data. */
  dataVendorOf(stack: Pick<Claim, 'account_id' | 'vendor' | 'credential_id'>): Promise<DataVendor>;
  /** The secrets the vendor needs to create the stack. */
  secretsOf(stack: Claim): Promise<StackSecrets>;
  /** Work to do when a version is reached, before the stack becomes complete. May be repeated. */
  beforeComplete(stack: Claim, driver: Driver): Promise<void>;
  /** A rollout of the desired version failed: the version before becomes the desired one again. A refusal is recorded. */
  goBack(stack: Claim, failed: RolloutRow): Promise<void>;
}

interface StackSecrets {
  agentToken: Secret;
  databasePassword: Secret | undefined;
  /** By flag; empty where the vendor makes the key pairs. */
  publicKeys: ReadonlyMap<string, string>;
}

/** Identifies one intent: that the vendor accepted or refused it is remembered for this intent only, not for newer ones. */
export const intentKey = (stack: Claim): string =>
  stack.operation === 'DELETE' ? `delete ${stack.delete_requests}` : stack.desired_version;
