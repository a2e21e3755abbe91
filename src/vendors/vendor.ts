import { Unreachable } from '../basics/calls/unreachable.ts';
import type { Outcome } from '../basics/problem.ts';
import type { Secret } from '../basics/secret.ts';
import type { StackModel } from '../model/stack-model.ts';
import type { Answer } from './answer.ts';
import type { AppReport, AskedApps, Undoing } from './application.ts';
import type { AuthUrls } from './auth-urls.ts';
import type { Billing } from './billing.ts';
import type { DataDriver, DataVendor, Release } from './data.ts';
import type { Drift } from './drift.ts';
import type { Fault, FaultInForce } from './fault.ts';
import type { ImageVendor } from './images.ts';
import type { LogDriver } from './logs.ts';
import type { PortableVendor } from './portability.ts';
import type { ResourceVendor } from './resources.ts';
import type { StackOnVendor, VendorChoices, VendorDocument } from './stack-on-vendor.ts';
import type { StackView } from './stack-view.ts';
import type { SurveyOf } from './survey.ts';
import type { VendorAccess } from './vendor-access.ts';

export { Unreachable } from '../basics/calls/unreachable.ts';
export { type Answer, accepted, notBegun, refused } from './answer.ts';
export type { AppReport, AskedApps, Undoing, WantedRevision } from './application.ts';
export type { Fault, FaultInForce } from './fault.ts';
export {
  type StackOnVendor,
  stackOnVendor,
  type VendorChoices,
  type VendorDocument,
} from './stack-on-vendor.ts';
export {
  type CacheNode,
  type DatabaseInstance,
  emptyView,
  type Instance,
  type Output,
  type StackView,
  type VendorEvent,
} from './stack-view.ts';
export type { VendorAccess } from './vendor-access.ts';
export { targetOf } from './version-steps.ts';

/** Every vendor a document may name. `vendors/index` lists those this build supports. */
export const vendorNames = ['aws', 'openstack', 'k5', 'alicloud', 'sbcloud', 'docker', 'sandbox'] as const;
export type VendorName = (typeof vendorNames)[number];

/** See `SurveyOf`. */
export type Survey = SurveyOf<Observation>;

/** The state of a stack at the vendor. Observing never changes anything. */
export type Observation =
  /** `leftovers`: it is gone, but not all its resources, which `remove` deletes. */
  | { kind: 'absent'; leftovers?: boolean; view: StackView }
  /** `lookAgainMs`: when the next change is expected, if the vendor knows. */
  | {
      kind: 'busy';
      doing: 'apply' | 'remove';
      version: string;
      lookAgainMs?: number;
      undoing?: Undoing | undefined;
      view: StackView;
    }
  /** Without `lookAgainMs`, nothing is expected: see `Driver.survey`. */
  | { kind: 'settled'; version: string; lookAgainMs?: number; view: StackView }
  /** Started, and continues only with another `apply` or `remove`: for vendors that do not finish work on their own. */
  | {
      kind: 'unfinished';
      doing: 'apply' | 'remove';
      version: string;
      /** When the effect of the next step can be seen, if the vendor knows. */
      lookAgainMs?: number;
      /** Why only `remove` can continue; it says what to do. Absent: `apply` can too. */
      onlyRemove?: string;
      undoing?: Undoing | undefined;
      view: StackView;
    }
  /** `terminal`: a retry cannot succeed; it takes a person or a new version. */
  | {
      kind: 'broken';
      doing: 'apply' | 'remove';
      version: string;
      reason: string;
      terminal: boolean;
      /** The vendor accepts no other version in this state. Each version gets one attempt to leave it. */
      blocked?: boolean;
      view: StackView;
    }
  /** `credentialRejected`: the vendor answers, but does not accept the credential. */
  | { kind: 'unreachable'; reason: string; credentialRejected?: boolean };

/** How long a group keeps an instance that is being removed, so that the instance can finish its work. */
export interface LifecycleHook {
  heartbeatSeconds: number;
  /** The limit, however often the instance extends its heartbeat. */
  globalTimeoutSeconds: number;
}

export const defaultHeartbeatSeconds = 3600;

/** `protectionSeconds`: how long the old instance stays after its replacement starts; null: the instance was rebooted. */
export type RestartAnswer =
  | { accepted: true; protectionSeconds: number | null }
  | { accepted: false; reason: string };

/** The vendor answers, but does not accept the credential at present. Waits like an outage; a person must end it. */
export class CredentialRejected extends Unreachable {}

interface ApplyRequest {
  document: VendorDocument;
  /** Stored on the vendor's own stack, so that `observe` needs no state of ours. */
  version: string;
  /** The token with which the agents on the stack's servers sign in to Almanac. */
  agentToken: Secret;
  /** The password of the stack's databases, where the vendor does not generate one itself. */
  databasePassword?: Secret | undefined;
  /** The public halves of layers' key pairs by flag, in the format of OpenSSH, for a vendor that needs them. */
  publicKeys?: ReadonlyMap<string, string>;
  /** Resources to leave as they are while the vendor undoes an earlier update: only those a caller named for this version. */
  skipResources?: readonly string[];
  /** The stores that this version may remove or replace: only those that a caller released for it. */
  releases?: readonly Release[];
}

/** A server whose agent has reported. */
export interface ServerUp {
  flag: string;
  instanceId: string;
}

export interface Driver extends DataDriver, LogDriver {
  observe(stack: StackOnVendor): Promise<Observation>;
  /** For settled stacks that nothing is expected of. Absent: each is looked at alone. */
  survey?: Survey;
  /** What the applications on the instances do, where the vendor itself knows it. Absent: agents report it. */
  readApps?(stack: StackOnVendor, asked: AskedApps): Promise<readonly AppReport[]>;
  /** Starts the work; does not wait for it. Idempotent. */
  apply(stack: StackOnVendor, request: ApplyRequest): Promise<Answer>;
  /** Replaces an instance that the cloud is about to reclaim: starts a new one, then drains the old one. Idempotent. */
  replaceInstance?(stack: StackOnVendor, instanceId: string): Promise<Answer>;
  /** The private key of a layer's key pair, read from the vendor on demand; undefined: there is none. */
  readPrivateKey?(stack: StackOnVendor, flag: string): Promise<Secret | undefined>;
  /** The password of the stack's databases, where the cloud generates it; undefined: there is none yet. */
  readDatabasePassword?(stack: StackOnVendor): Promise<Secret | undefined>;
  /** The changes an update would make, according to the cloud; undefined: it cannot say at the moment. */
  forecast?(stack: StackOnVendor, document: VendorDocument): Promise<readonly PlannedChange[] | undefined>;
  /** Starts to compare the resources with the document they were made from. Idempotent. */
  startDriftCheck?(stack: StackOnVendor): Promise<Answer>;
  readDrift?(stack: StackOnVendor): Promise<Drift>;
  /** Applies to every autoscaling group of the stack, also to those of later versions. The last call wins. */
  putLifecycleHook?(stack: StackOnVendor, heartbeatSeconds: number): Promise<Answer>;
  /** Undefined: none was set. */
  readLifecycleHook?(stack: StackOnVendor): Promise<LifecycleHook | undefined>;
  /** Replaces a member of a group; reboots any other server. Does nothing to an instance that is already being removed. */
  restartInstance?(stack: StackOnVendor, instanceId: string): Promise<RestartAnswer>;
  /**
   * Lets operations continue that wait for these servers: their agents have reported. Called in every pass while an operation may
   * wait, so it remembers what the cloud knows. After a restart it informs the cloud again, which changes nothing. False: a wait is
   * not over yet; call again soon.
   */
  reportUp?(stack: StackOnVendor, servers: readonly ServerUp[]): Promise<boolean>;
  /** Fault injection, for simulated clouds. Without a stack, the fault waits for the next apply. */
  injectFault?(fault: Fault, stack?: StackOnVendor): Promise<Outcome<string>>;
  /** The injected faults that still wait or last. Absent: the vendor keeps none. */
  listFaults?(): Promise<readonly FaultInForce[]>;
}

/** The regions of a vendor, and its defaults for what a document leaves open. */
export interface Catalog {
  /** `asked`: every cloud of the vendor has its own, and `choose` asks for them. */
  regions: readonly string[] | 'asked';
  defaultInstanceType: string;
  defaultVolumeType: string;
  defaultVolumeGib: number;
  sshUser: string;
}

/** The effect of an update on one resource. */
export interface PlannedChange {
  action: 'add' | 'change' | 'replace' | 'remove';
  resource: string;
  resourceType: string;
  /** The members that differ, as slash paths; empty for add and remove. */
  members: readonly string[];
  /** A sentence about data loss; empty: none is lost. */
  warning: string;
}

export interface Vendor extends DataVendor, ImageVendor, PortableVendor, ResourceVendor {
  name: VendorName;
  catalog: Catalog;
  /** The clouds that credentials may belong to; absent: the vendor has only one, or they need no address. */
  authUrls?: AuthUrls;
  /** The instances do not exist; their addresses belong to unrelated hosts. */
  isSimulated?: boolean;
  /**
   * A credential that works without a cloud account. Under its id, every vendor's name leads to this vendor, so that any
   * document can be tried. The first start saves it under the names in `savedUnder`.
   */
  builtInCredential?: { id: string; secret: string; savedUnder: readonly VendorName[] };
  /** Accounts that may use the vendor (`*`: all; empty: only the first account), and the problem reported to the others. */
  restriction?: { accounts: readonly string[]; message: string };
  /** An update that failed may be impossible to undo; resources can then be skipped on request. */
  skipsResources?: boolean;
  /** The cloud generates the databases' passwords; Almanac reads them from it. */
  makesDatabasePasswords?: boolean;
  /** The cloud makes no key pairs: Almanac makes them, keeps the private halves, and gives `apply` the public ones. */
  needsPublicKeys?: boolean;
  /** Operations wait for the agents of new servers: see `Driver.reportUp`. */
  awaitsAgents?: boolean;
  /**
   * Asks the cloud for what a document leaves open: images, zones, certificates. Keeps the choices of `before`, so that
   * an update replaces nothing by accident. Asks only for what is open or may have expired. Reports everything the cloud does
   * not offer at once.
   */
  choose?(
    access: VendorAccess,
    model: StackModel,
    before: VendorDocument | null,
  ): Promise<Outcome<VendorChoices>>;
  /** Pure. Reports everything the vendor does not support in the model at once. `choices`: the result of `choose`, if the vendor has it. */
  compile(model: StackModel, stackId: string, choices?: VendorChoices): Outcome<VendorDocument>;
  /** The user for ssh on the servers of a layer, where it depends on the image; undefined: the default of the catalog. */
  sshUser?(document: VendorDocument, flag: string): string | undefined;
  /** Sentences for the user about a document: what the vendor changed or could not check. */
  notes?(document: VendorDocument): readonly string[];
  /** The changes from one document to another, computed from the documents alone; null: there is no stack yet. */
  preview(before: VendorDocument | null, after: VendorDocument): Promise<readonly PlannedChange[]>;
  /** Absent: the cost of resources is unknown. */
  billing?: Billing;
  connect(access: VendorAccess): Driver;
  /** Checks whether the vendor accepts the key. Changes nothing. */
  verify?(access: VendorAccess): Promise<Answer>;
}
