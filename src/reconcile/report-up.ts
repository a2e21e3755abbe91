import { listReportedInstances } from '../store/stacks/agents.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import {
  CredentialRejected,
  type Driver,
  type Observation,
  stackOnVendor,
  Unreachable,
} from '../vendors/vendor.ts';
import { backOffMs, outageReason } from './decide.ts';
import type { ReconcileTools } from './tools.ts';

/** A group that grows does not show in the state of its stack, and waits for its new servers too. */
const youngMs = 30 * 60_000;

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

/** What came of informing the vendor, to be recorded with the rest of the pass. */
export interface Reporting {
  /** Null: there is no reason to look again. */
  lookAgainMs: number | null;
  /** Why the vendor could not be informed: an operation that waits for servers does not say so itself. Empty: no problem. */
  problem: string;
}

export const nothingReported: Reporting = { lookAgainMs: null, problem: '' };

/** An operation has not begun to wait for a server that is up. */
const unheardMs = 10_000;

/**
 * Tells the vendor which servers are up, if its operations may wait for them. Reads the stored reports of agents, so that none is
 * lost when a process dies.
 */
export async function reportServersUp(
  { tools, claim, driver }: Work,
  observation: Observation,
): Promise<Reporting> {
  if (!driver.reportUp || claim.operation === 'DELETE' || observation.kind === 'unreachable')
    return nothingReported;
  const { kind, view } = observation;
  const now = tools.clock.now();
  const awaited = view.instances.filter(({ launchedAt }) => kind === 'busy' || now - launchedAt < youngMs);
  if (awaited.length === 0) return nothingReported;
  const reported = new Set(await listReportedInstances(tools.database.query, claim.id));
  const servers = awaited
    .filter(({ id }) => reported.has(id))
    .map(({ id, flag }) => ({ flag, instanceId: id }));
  if (servers.length === 0) return nothingReported;
  try {
    const isHeard = await driver.reportUp(stackOnVendor(claim), servers);
    return isHeard ? nothingReported : { lookAgainMs: unheardMs, problem: '' };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const reason = `it cannot be informed which servers are up: ${error.message}`;
    const credentialRejected = error instanceof CredentialRejected;
    return {
      lookAgainMs: backOffMs(claim.troubles),
      problem: outageReason({ reason, credentialRejected }),
    };
  }
}
