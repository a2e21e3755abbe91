import { createHash } from 'node:crypto';
import type { AppFault } from '../../model/app-fault.ts';
import type { VendorEvent } from '../vendor.ts';
import type { DocumentOutput, DocumentResource } from './document.ts';

/** One resource of the simulated cloud: the document's part, and what the cloud assigned to it. */
export interface Resource extends DocumentResource {
  id: string;
  createdAt: number;
  privateIp: string | null;
  publicIp: string | null;
  /** When the cloud sent the spot notice. */
  noticeAt: number | null;
  /** The content of a store that was restored; absent: it began empty, with a content of its own. */
  content?: string;
}

/** The content of a deleted store. */
export interface Snapshot {
  id: string;
  storeId: string;
  content: string;
  at: number;
}

/** One change of one resource, with its times. Stored as JSON. */
export interface Step {
  /** The id of the plan it was made by; part of its events' ids, which stay the same when a later plan takes it over. */
  turn: string;
  action: 'create' | 'update' | 'delete';
  /** The resource after the step; for a deletion, before it. */
  resource: Resource;
  startsAt: number;
  endsAt: number;
  /** The error when the step fails at its end; null: it succeeds. */
  failure: string | null;
  /** A change a group makes on its own, while the stack is settled. */
  background: boolean;
  /** Texts of its events; null: the default texts. */
  story: { started: EventText | null; finished: EventText | null } | null;
  /** The snapshot that a deletion takes; absent: none. */
  snapshot?: string;
}

export interface EventText {
  state: string;
  message: string;
}

/**
 * One stack of the simulated cloud: the resources before the plan, and the plan. Stored as JSON. Its state follows from
 * this and the time, so observing never writes.
 */
export interface SandboxStack {
  stackId: string;
  region: string;
  version: string;
  doing: 'apply' | 'remove';
  /** The number of virtual networks it has or will have … */
  networks: number;
  /** … and until when; null: until another plan replaces this one. */
  networksUntil: number | null;
  endsAt: number;
  /** Why the plan fails, with the name of the resource; null: it succeeds. */
  failure: string | null;
  base: Resource[];
  steps: Step[];
  outputs: DocumentOutput[];
  /** The outputs before this plan. They apply while it runs and after it failed. */
  outputsBefore: DocumentOutput[];
  pastEvents: VendorEvent[];
  /** The number of plans so far. */
  turns: number;
  /** Absent until it is set, and in records older than this member. */
  lifecycleHook?: { heartbeatSeconds: number };
  /** Those of earlier plans. */
  snapshots?: Snapshot[];
}

/** Injected faults. `stackId` null: the next stack that matches, or all of them. */
export interface SandboxFaults {
  failures: { stackId: string | null; position: number; reason: string }[];
  outages: { stackId: string | null; until: number }[];
  shares: { stackId: string; resource: string; withStack: string }[];
  /** Absent in records older than this member. */
  apps?: { stackId: string | null; mode: AppFault; image: string; reason: string }[];
}

/** Stacks by id, and faults. Mutable inside `change`. */
export interface SandboxAccount {
  stacks: Map<string, SandboxStack>;
  faults: SandboxFaults;
}

/** Storage of the simulated cloud. One cloud account is one credential of one Almanac account. */
export interface SandboxCloud {
  /** One stack of one cloud account, and the faults of the account, read-only. */
  read(cloudAccount: string, stackId: string): Promise<Looked>;
  readFaults(cloudAccount: string): Promise<SandboxFaults>;
  /** By stack, a number that is another one after each change of it. */
  readRevisions(cloudAccount: string): Promise<ReadonlyMap<string, number>>;
  /**
   * One exclusive transaction on the account's state in all regions. A stack removed from the map is deleted. A change
   * that throws is rolled back. `only`: the stack that may be changed; the others may be read or deleted.
   */
  change<T>(cloudAccount: string, change: (state: SandboxAccount) => T, only?: string): Promise<T>;
}

interface Looked {
  stack: SandboxStack | undefined;
  faults: SandboxFaults;
}

export const noFaults = (): SandboxFaults => ({ failures: [], outages: [], shares: [], apps: [] });

interface Stored {
  stacks: [string, SandboxStack][];
  faults: SandboxFaults;
}

const revisionOf = (stack: SandboxStack): number =>
  createHash('sha256').update(JSON.stringify(stack)).digest().readUInt32BE();

/** A cloud in memory. It stores JSON text, as the database does, so that tests notice values that are not plain data. */
export const memoryCloud = (): SandboxCloud => {
  const accounts = new Map<string, string>();
  const load = (cloudAccount: string): SandboxAccount => {
    const text = accounts.get(cloudAccount);
    if (text === undefined) return { stacks: new Map(), faults: noFaults() };
    const stored = JSON.parse(text) as Stored;
    return { stacks: new Map(stored.stacks), faults: stored.faults };
  };
  return {
    read: async (cloudAccount, stackId) => {
      const { stacks, faults } = load(cloudAccount);
      return { stack: stacks.get(stackId), faults };
    },
    readFaults: async (cloudAccount) => load(cloudAccount).faults,
    readRevisions: async (cloudAccount) =>
      new Map([...load(cloudAccount).stacks].map(([id, stack]) => [id, revisionOf(stack)])),
    change: async (cloudAccount, change) => {
      const state = load(cloudAccount);
      const result = change(state);
      const stored: Stored = { stacks: [...state.stacks], faults: state.faults };
      accounts.set(cloudAccount, JSON.stringify(stored));
      return result;
    },
  };
};
