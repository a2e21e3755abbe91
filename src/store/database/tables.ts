import type { Generated } from 'kysely';
import type { DataChoice } from '../../model/data-choice.ts';
import type { Health } from '../../model/rollout.ts';
import type { Operation, StackStatus } from '../../model/status.ts';
import type { Drift } from '../../vendors/drift.ts';
import type { AccessTables } from './access-tables.ts';
import type { ApplicationTables } from './application-tables.ts';
import type { DataTables } from './data-tables.ts';
import type { RegistryTables } from './registry-tables.ts';
import type { SshTables } from './ssh-tables.ts';

/**
 * The one schema, portable between engines: text ids, JSON as text, times as integer milliseconds, booleans as 0 or 1.
 * Migrations create it; these types describe it.
 */
export interface Tables extends AccessTables, ApplicationTables, DataTables, RegistryTables, SshTables {
  meta: MetaTable;
  credentials: CredentialTable;
  stacks: StackTable;
  sweeps: SweepTable;
  versions: VersionTable;
  version_secrets: VersionSecretTable;
  events: EventTable;
  idempotency_keys: IdempotencyKeyTable;
  durations: DurationTable;
  price_sheets: PriceSheetTable;
  sandbox_stacks: SandboxStackTable;
  sandbox_faults: SandboxFaultTable;
}

interface MetaTable {
  key: string;
  value: string;
}

export interface CredentialTable {
  account_id: string;
  vendor: string;
  id: string;
  /** The vendor driver that serves it: a sandbox credential may be saved under `aws`. */
  driver: string;
  label: string;
  sealed_secret: string;
  updated_at: number;
  /** The role the vendor creates stacks with; null: the key itself. */
  role: string | null;
  /** The cloud it belongs to, where the vendor has several; null: the only one. */
  auth_url: string | null;
}

export interface StackTable {
  id: string;
  account_id: string;
  created_by: string;
  language: 'v2' | 'v3';
  vendor: string;
  region: string;
  credential_id: string;
  nickname: string;
  sealed_auth_token: string;
  /** Heartbeat of the lifecycle hook in seconds: a replaced group must get the hook again. Null: no hook. */
  hook_heartbeat: number | null;

  /** The last request. */
  operation: Operation;
  desired_version: string;
  delete_requests: number;
  /** What the last request for deletion does with data, and the sentences that say so. */
  data_choice: DataChoice;
  data_note: string;
  /** 1: it said that servers may go with what is only on their disks, also those that nobody had seen by then. */
  replaces_servers: number;
  /** Who sent it; empty: not recorded. */
  requested_by: string;
  /** The version whose update was cancelled last, and the data that it would have removed. Null: none since a newer request. */
  cancelled_version: string | null;
  cancelled_data: string;

  /** The known state. */
  status: StackStatus;
  status_reason: string;
  settled_version: string | null;
  /** Keys of the intent that the vendor accepted last and of the one it refused, with its reason. */
  tried_wish: string;
  refused_wish: string;
  refused_reason: string;
  view: string;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  event_count: number;
  /** The time before which events were deleted; null: none were. */
  events_kept_from: number | null;
  /** Time of the last change that the summary of the stack shows. */
  changed_at: number;
  /** Running instances of the view; null: not counted yet. */
  running: number | null;
  /** The last known result of a drift check; null: none was asked for. */
  drift_state: Drift['state'] | null;
  drift_checked_at: number | null;

  /** The schedule. Null: nothing to do until the next request. */
  next_at: number | null;
  lease_until: number;
  lease_owner: string;
  epoch: number;
  wakes: number;
  /** Passes in a row that failed: the vendor was unreachable, or an internal error. */
  troubles: number;
  /** Whether its application serves, and why not. */
  health: Health;
  health_reason: string;
  /** Why the vendor undoes what it did, and how far it is; empty: it does not. */
  undoing: string;
  undoing_progress: string;
  /** What the last sweep saw of it; empty: none has seen it yet. Null: the stack is looked at alone. */
  swept: string | null;
}

type SweepPlace = Pick<StackTable, 'account_id' | 'vendor' | 'credential_id' | 'region'>;
type SweepLease = Pick<StackTable, 'lease_until' | 'lease_owner' | 'epoch' | 'troubles'>;

/** Looks at all settled stacks of one credential in one region. */
export interface SweepTable extends SweepPlace, SweepLease {
  id: string;
  next_at: number;
}

export interface VersionTable {
  id: string;
  stack_id: string;
  number: number;
  document: string;
  size: number;
  model: string;
  vendor_document: string;
  created_by: string;
  created_at: number;
  /** Resources that may be skipped while an earlier update is undone, as a JSON list. */
  skip_resources: Generated<string>;
  /** The kept data that its stores are made from, by resource, as a JSON object. */
  restored_data: Generated<string>;
  /** When its update was cancelled; null: it was not. */
  cancelled_at: number | null;
  /** For the summary of the stack: the label of the document, and the servers it asks for. Null: not computed yet. */
  label: string | null;
  wanted: number | null;
  /** Why it was made, if no person asked for it; empty: a person did. */
  cause: Generated<string>;
  /** The failed version that it goes back from; null: none. */
  returned_from: string | null;
}

interface VersionSecretTable {
  version_id: string;
  name: string;
  sealed: string;
}

export interface EventTable {
  stack_id: string;
  /** 1, 2, 3 … within the stack, in the order they were added. */
  number: number;
  at: number;
  kind: string;
  resource: string;
  resource_type: string;
  status: string;
  message: string;
  version_id: string;
  /** The vendor's id of the event: reading the vendor's events twice adds them once. */
  vendor_event_id: string | null;
  /** The vendor's id of the resource; null: there is none yet, or the event is older than this column. */
  physical_id: string | null;
  /** A summary: how many older events it stands for; 0: none. */
  folded: number;
}

interface IdempotencyKeyTable {
  account_id: string;
  /** Digest of the caller's key. */
  key: string;
  /** Digest of the request, keyed with the caller's key. */
  fingerprint: string;
  result: string;
  created_at: number;
}

/** Measured durations of operations, for estimates. */
interface DurationTable {
  stack_id: string;
  ended_at: number;
  driver: string;
  operation: Operation;
  milliseconds: number;
}

interface PriceSheetTable {
  vendor: string;
  region: string;
  offer: string;
  currency: string;
  /** YYYY-MM-DD. */
  date: string;
  prices: string;
}

interface SandboxStackTable {
  cloud_account: string;
  stack_id: string;
  record: string;
  /** Counts its changes. */
  revision: number;
}

interface SandboxFaultTable {
  cloud_account: string;
  record: string;
}
