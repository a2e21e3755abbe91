import type { Outcome } from '../basics/problem.ts';
import type { Secret } from '../basics/secret.ts';
import type { StackModel } from '../model/stack-model.ts';

/** Every vendor a document may name. Which of them this build can drive is `vendors/index`'s to say. */
export const vendorNames = ['aws', 'openstack', 'k5', 'alicloud', 'sbcloud', 'docker', 'sandbox'] as const;
export type VendorName = (typeof vendorNames)[number];

/** A vendor's document for one stack: JSON, stored with the version, sent as it is on every try. */
export type VendorDocument = NonNullable<unknown>;
/** What was decided, with the cloud's help, where a model leaves the choice to the vendor. */
export type VendorChoices = NonNullable<unknown>;

export interface StackOnVendor {
  id: string;
  accountId: string;
  region: string;
}

export interface Output {
  key: string;
  value: string;
  description?: string;
}

export interface Instance {
  id: string;
  flag: string;
  type: string;
  image: string;
  state: 'pending' | 'running' | 'shutting-down' | 'stopping' | 'stopped' | 'terminated';
  launchedAt: number;
  spot: boolean;
  zone: string;
  privateIp: string;
  privateDns: string;
  publicIp: string | null;
  publicDns: string | null;
  networkId: string;
  subnetId: string;
  keyName: string | null;
}

export interface DatabaseInstance {
  id: string;
  role: 'primary' | 'replica';
  engine: string;
  engineVersion: string;
  type: string;
  storageGib: number;
  zone: string;
  state: string;
  address: string;
  port: number;
}

export interface CacheNode {
  id: string;
  role: 'primary' | 'replica';
  engine: string;
  type: string;
  state: string;
  address: string;
  port: number;
}

/** Something the vendor reports about one resource. The id makes it safe to read twice. */
export interface VendorEvent {
  id: string;
  at: number;
  resource: string;
  resourceType: string;
  state: string;
  message: string;
}

/** What is there now. */
export interface StackView {
  outputs: readonly Output[];
  instances: readonly Instance[];
  databases: readonly DatabaseInstance[];
  caches: readonly CacheNode[];
  events: readonly VendorEvent[];
}

export const emptyView: StackView = { outputs: [], instances: [], databases: [], caches: [], events: [] };

/** What looking at the vendor shows. Looking never changes anything. */
export type Observation =
  | { kind: 'absent'; view: StackView }
  /** `lookAgainMs`: when something new is worth looking for, if the vendor can tell. */
  | { kind: 'busy'; doing: 'apply' | 'remove'; version: string; lookAgainMs?: number; view: StackView }
  | { kind: 'settled'; version: string; lookAgainMs?: number; view: StackView }
  /** Begun, and goes on only when asked again: where the vendor is a mere engine, we do the work ourselves, bit by bit. */
  | { kind: 'unfinished'; doing: 'apply' | 'remove'; version: string; view: StackView }
  /** `terminal`: trying the same again cannot help; a person or a new version must. */
  | {
      kind: 'broken';
      doing: 'apply' | 'remove';
      version: string;
      reason: string;
      terminal: boolean;
      /** Another version cannot even be tried before the vendor gets out of this state: one attempt at that for each. */
      blocked?: boolean;
      view: StackView;
    }
  | { kind: 'unreachable'; reason: string };

/** `refused`: the vendor said no at once and nothing began. Trouble on the way there is thrown instead. */
export type Answer = { accepted: true } | { accepted: false; reason: string };
export const accepted: Answer = { accepted: true };
export const refused = (reason: string): Answer => ({ accepted: false, reason });

/** How long a group holds on to an instance that leaves it, so that the instance can finish its work. */
export interface LifecycleHook {
  heartbeatSeconds: number;
  /** Never longer than this, however often the instance asks for more time. */
  globalTimeoutSeconds: number;
}

/** The heartbeat where nobody said another. */
export const defaultHeartbeatSeconds = 3600;

/** `protectionSeconds`: how long the old instance stays beside its replacement; null: the same one was rebooted. */
export type RestartAnswer =
  | { accepted: true; protectionSeconds: number | null }
  | { accepted: false; reason: string };

/** The vendor could not be asked; nothing is known. Trying later is right. */
export class Unreachable extends Error {}

export interface ApplyRequest {
  document: VendorDocument;
  /** Written on the vendor's own stack, so that observing needs no memory. */
  version: string;
  /** The agents on the stack's servers sign in to Almanac with it. */
  agentToken: Secret;
  /** The password of the stack's databases, where the vendor does not generate one itself. */
  databasePassword?: Secret | undefined;
}

export interface Driver {
  observe(stack: StackOnVendor): Promise<Observation>;
  /** Accepted, not finished; may be repeated. */
  apply(stack: StackOnVendor, request: ApplyRequest): Promise<Answer>;
  /** Accepted, not finished; may be repeated, and retries what failed before. Also takes away what lies beside the stack. */
  remove(stack: StackOnVendor): Promise<Answer>;
  /** Replaces one instance the cloud is about to take back: the new one first, then the old one drained. May be repeated. */
  replaceInstance?(stack: StackOnVendor, instanceId: string): Promise<Answer>;
  /** The private key of a layer's key pair, read at the vendor on demand; undefined when there is none. */
  readPrivateKey?(stack: StackOnVendor, flag: string): Promise<Secret | undefined>;
  /** What users and databases of the stack's databases know, where the cloud made it up; undefined while there is none. */
  readDatabasePassword?(stack: StackOnVendor): Promise<Secret | undefined>;
  /** What the cloud itself says an update would do; undefined when it cannot tell just now. */
  forecast?(stack: StackOnVendor, document: VendorDocument): Promise<readonly PlannedChange[] | undefined>;
  /** Begins to compare what is there with what was asked for. May be repeated. */
  startDriftCheck?(stack: StackOnVendor): Promise<Answer>;
  readDrift?(stack: StackOnVendor): Promise<Drift>;
  /** For every autoscaling group of the stack, also those a later version brings. May be repeated: the last one holds. */
  putLifecycleHook?(stack: StackOnVendor, heartbeatSeconds: number): Promise<Answer>;
  /** Undefined when none was put. */
  readLifecycleHook?(stack: StackOnVendor): Promise<LifecycleHook | undefined>;
  /** A group's member leaves it and is replaced; a server of its own is rebooted. One that is leaving already is left to it. */
  restartInstance?(stack: StackOnVendor, instanceId: string): Promise<RestartAnswer>;
  /** Only a pretend cloud offers this: trouble on request. Without a stack it waits for the next apply. */
  injectFault?(fault: Fault, stack?: StackOnVendor): Promise<Outcome<string>>;
}

export type Fault =
  | { kind: 'fail_resource'; position: number; reason?: string }
  | { kind: 'unreachable'; seconds: number }
  | { kind: 'spot_notice'; instanceId?: string }
  | { kind: 'share_resource'; resource?: string; withStack: string }
  | { kind: 'clear' };

export interface VendorAccess {
  accountId: string;
  credentialId: string;
  secret: Secret;
  /** A role the vendor's stacks are made with, instead of with the key itself; null: with the key. */
  role: string | null;
}

/** One resource that is no longer as it was asked for. */
export interface DriftedResource {
  resource: string;
  resourceType: string;
  kind: 'changed' | 'deleted';
  /** Members of it that differ, as slash paths. */
  members: readonly { path: string; expected: string; actual: string }[];
}

export interface Drift {
  state: 'never_checked' | 'checking' | 'in_sync' | 'drifted' | 'failed';
  /** Milliseconds since 1970 of the last check that ended; null: none did. */
  checkedAt: number | null;
  reason: string;
  resources: readonly DriftedResource[];
}

/** What a vendor offers and what it decides where a document leaves the choice to it. */
export interface Catalog {
  regions: readonly string[];
  defaultInstanceType: string;
  defaultVolumeType: string;
  defaultVolumeGib: number;
  sshUser: string;
}

/** What an update would do to one resource. */
export interface PlannedChange {
  action: 'add' | 'change' | 'replace' | 'remove';
  resource: string;
  resourceType: string;
  /** Members of it that differ, as slash paths; empty for add and remove. */
  members: readonly string[];
  /** What is lost by it, in a sentence; empty when nothing is. */
  warning: string;
}

export interface Vendor {
  name: VendorName;
  catalog: Catalog;
  /** The cloud makes up the databases' passwords; Almanac reads them there. */
  makesDatabasePasswords?: boolean;
  /**
   * Asks the cloud what a document leaves open: images, zones, certificates. What `before` decided stays decided, so
   * that updates do not replace things nobody asked to replace; asks nothing when nothing is open. Says everything the
   * cloud does not offer, at once.
   */
  choose?(
    access: VendorAccess,
    model: StackModel,
    before: VendorDocument | null,
  ): Promise<Outcome<VendorChoices>>;
  /** Pure. Says everything this vendor cannot do with the model, at once. `choices`: what `choose` gave, where there is one. */
  compile(model: StackModel, stackId: string, choices?: VendorChoices): Outcome<VendorDocument>;
  /** What going from one document to another would do, told from the documents alone; null: nothing stands yet. */
  preview(before: VendorDocument | null, after: VendorDocument): Promise<readonly PlannedChange[]>;
  connect(access: VendorAccess): Driver;
  /** Whether the vendor takes the key, where that can be asked. Changes nothing. */
  verify?(access: VendorAccess): Promise<Answer>;
}
