import type { Clock } from '../basics/clock.ts';
import type { Secret } from '../basics/secret.ts';
import type { Database } from '../store/database/database.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import type { Driver } from '../vendors/vendor.ts';

export interface ReconcileTools {
  database: Database;
  clock: Clock;
  /** How to reach the vendor of a stack; throws when it cannot be told. */
  connect(stack: Claim): Promise<Driver>;
  /** What the vendor must be told in confidence to make the stack. */
  secretsOf(stack: Claim): Promise<StackSecrets>;
  /** What else is to be done when a version is reached, before the stack is called complete. */
  beforeComplete(stack: Claim, driver: Driver): Promise<void>;
}

export interface StackSecrets {
  agentToken: Secret;
  databasePassword: Secret | undefined;
}

/** Names one wish, so that having tried or being refused can be remembered of it and of nothing newer. */
export const intentKey = (stack: Claim): string =>
  stack.operation === 'DELETE' ? `delete ${stack.delete_requests}` : stack.desired_version;
