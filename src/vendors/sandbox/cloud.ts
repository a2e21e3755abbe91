import type { VendorEvent } from '../vendor.ts';
import type { DocumentOutput, DocumentResource } from './document.ts';

/** One real thing in the pretend cloud: what the document asked for, and what the cloud gave it. */
export interface Resource extends DocumentResource {
  id: string;
  createdAt: number;
  privateIp: string | null;
  publicIp: string | null;
  /** When the cloud announced that it takes this spot instance back. */
  noticeAt: number | null;
}

/** One change of one resource, planned to the millisecond. */
export interface Step {
  /** Which plan made it; part of its events' ids, so they stay the same when a later plan carries it on. */
  turn: string;
  action: 'create' | 'update' | 'delete';
  /** As it is after the step (for a deletion: as it was before). */
  resource: Resource;
  startsAt: number;
  endsAt: number;
  /** The pretend cloud's words when the step fails at its end. */
  failure: string | null;
  /** A group replacing its own member: the stack counts as settled meanwhile. */
  background: boolean;
  /** What its events say, where the ordinary words would not tell enough. */
  story: { started: Telling | null; finished: Telling | null } | null;
}

export interface Telling {
  state: string;
  message: string;
}

/**
 * One stack inside the pretend cloud, as JSON-able data: what stood when the plan was made, and the plan.
 * What is there at any moment follows from this and the time, so looking never writes.
 */
export interface SandboxStack {
  stackId: string;
  region: string;
  version: string;
  doing: 'apply' | 'remove';
  /** How many virtual networks it holds or has been promised … */
  networks: number;
  /** … and until when; null: for as long as this plan stands. */
  networksUntil: number | null;
  endsAt: number;
  /** Why the plan ends broken, naming the resource; null when it ends well. */
  failure: string | null;
  base: Resource[];
  steps: Step[];
  outputs: DocumentOutput[];
  /** The outputs of what stood before, still true while this plan runs and after it failed. */
  outputsBefore: DocumentOutput[];
  pastEvents: VendorEvent[];
  /** How many plans this stack has had. */
  turns: number;
  /** Absent while nobody put one, and in records from before there were any. */
  lifecycleHook?: { heartbeatSeconds: number };
}

/** Trouble on request. `stackId` null: for whichever stack comes next, or for all of them. */
export interface SandboxFaults {
  failures: { stackId: string | null; position: number; reason: string }[];
  outages: { stackId: string | null; until: number }[];
  shares: { stackId: string; resource: string; withStack: string }[];
}

/** Mutable inside `change`: stacks by id, and the scripted faults. */
export interface SandboxAccount {
  stacks: Map<string, SandboxStack>;
  faults: SandboxFaults;
}

/** Where the pretend cloud lives. One cloud account is one credential of one Almanac account. */
export interface SandboxCloud {
  /** One stack of one cloud account. Reading only. */
  read(cloudAccount: string, stackId: string): Promise<SandboxStack | undefined>;
  readFaults(cloudAccount: string): Promise<SandboxFaults>;
  /**
   * One transaction: sees the account's state as it is (all regions), and replaces it: a stack taken out of
   * the map is gone. Nothing else changes the account meanwhile; a change that throws changes nothing.
   */
  change<T>(cloudAccount: string, change: (state: SandboxAccount) => T): Promise<T>;
}

export const noFaults = (): SandboxFaults => ({ failures: [], outages: [], shares: [] });

interface Stored {
  stacks: [string, SandboxStack][];
  faults: SandboxFaults;
}

/** A cloud that lives in this process. It keeps text, so that what is not plain data does not survive. */
export const memoryCloud = (): SandboxCloud => {
  const accounts = new Map<string, string>();
  const load = (cloudAccount: string): SandboxAccount => {
    const text = accounts.get(cloudAccount);
    if (text === undefined) return { stacks: new Map(), faults: noFaults() };
    const stored = JSON.parse(text) as Stored;
    return { stacks: new Map(stored.stacks), faults: stored.faults };
  };
  return {
    read: async (cloudAccount, stackId) => load(cloudAccount).stacks.get(stackId),
    readFaults: async (cloudAccount) => load(cloudAccount).faults,
    change: async (cloudAccount, change) => {
      const state = load(cloudAccount);
      const result = change(state);
      const stored: Stored = { stacks: [...state.stacks], faults: state.faults };
      accounts.set(cloudAccount, JSON.stringify(stored));
      return result;
    },
  };
};
