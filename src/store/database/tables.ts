import type { Operation, StackStatus } from '../../model/status.ts';
import type {
  AccessTokenTable,
  AccountTable,
  ApiClientTable,
  AuditTable,
  LoginFailureTable,
  RoleTable,
  UserRoleTable,
  UserTable,
} from './access-tables.ts';

/**
 * The one schema, portable by rule: text ids, JSON as text, times as integer milliseconds, truth as 0 or 1.
 * Migrations make it; these types are how the code sees it.
 */
export interface Tables {
  meta: MetaTable;
  accounts: AccountTable;
  users: UserTable;
  api_clients: ApiClientTable;
  access_tokens: AccessTokenTable;
  login_failures: LoginFailureTable;
  roles: RoleTable;
  user_roles: UserRoleTable;
  audit: AuditTable;
  credentials: CredentialTable;
  stacks: StackTable;
  versions: VersionTable;
  version_secrets: VersionSecretTable;
  events: EventTable;
  layer_revisions: LayerRevisionTable;
  agents: AgentTable;
  containers: ContainerTable;
  replacements: ReplacementTable;
  pem_links: PemLinkTable;
  host_keys: HostKeyTable;
  terminal_tickets: TerminalTicketTable;
  idempotency_keys: IdempotencyKeyTable;
  durations: DurationTable;
  sandbox_stacks: SandboxStackTable;
  sandbox_faults: SandboxFaultTable;
}

export interface MetaTable {
  key: string;
  value: string;
}

export interface CredentialTable {
  account_id: string;
  vendor: string;
  id: string;
  /** Which vendor driver really serves it: a sandbox credential may be filed under `aws`. */
  driver: string;
  label: string;
  sealed_secret: string;
  updated_at: number;
  /** What the vendor makes its stacks with, where that is not the key itself. */
  role: string | null;
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
  /** The lifecycle hook somebody put, in seconds: a group that is replaced must have it again. */
  hook_heartbeat: number | null;

  /** What was asked for last. */
  operation: Operation;
  desired_version: string;
  delete_requests: number;

  /** What is known. */
  status: StackStatus;
  status_reason: string;
  settled_version: string | null;
  /** The wish the vendor last accepted, and the one it refused, with its words. */
  tried_wish: string;
  refused_wish: string;
  refused_reason: string;
  view: string;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  event_count: number;

  /** When it is looked at next, and by whom. Null: nothing to do until somebody asks. */
  next_at: number | null;
  lease_until: number;
  lease_owner: string;
  epoch: number;
  wakes: number;
  troubles: number;
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
}

export interface VersionSecretTable {
  version_id: string;
  name: string;
  sealed: string;
}

export interface EventTable {
  stack_id: string;
  /** 1, 2, 3 … within the stack, in the order they were noted. */
  number: number;
  at: number;
  kind: string;
  resource: string;
  resource_type: string;
  status: string;
  message: string;
  version_id: string;
  /** The vendor's id of it, so that reading the vendor's events twice notes them once. */
  vendor_event_id: string | null;
}

/** When a layer's container or code last changed, for its agents. */
export interface LayerRevisionTable {
  stack_id: string;
  flag: string;
  /** Of the container section, secrets included. */
  digest: string;
  /** Unix seconds; strictly rises with every change. */
  updated: number;
}

export interface AgentTable {
  stack_id: string;
  agent_id: string;
  instance_id: string;
  status: string;
  message: string;
  updated_at: number;
}

export interface ContainerTable {
  stack_id: string;
  container_id: string;
  account_id: string;
  agent_id: string;
  instance_id: string;
  status: string;
  updated_at: number;
}

/** An instance the cloud takes back, and when the vendor was asked to replace it. */
export interface ReplacementTable {
  stack_id: string;
  instance_id: string;
  noticed_at: number;
  asked_at: number | null;
}

/** A short-lived address at which one layer's private key can be read without a token. */
export interface PemLinkTable {
  /** Digest of the address's secret part. */
  hash: string;
  stack_id: string;
  flag: string;
  expires_at: number;
  reads_left: number;
}

/** The key an instance showed when it was first reached by ssh; it must show the same ever after. */
export interface HostKeyTable {
  stack_id: string;
  instance_id: string;
  host_key: string;
  noted_at: number;
}

/** Lets whoever holds it open one terminal, soon. */
export interface TerminalTicketTable {
  /** Digest of the ticket. */
  hash: string;
  stack_id: string;
  instance_id: string;
  /** Which of the instance's addresses was asked for. */
  host: string;
  ssh_user: string;
  width: number;
  height: number;
  /** Digest of the access token it was asked for with. */
  token_hash: string;
  expires_at: number;
}

export interface IdempotencyKeyTable {
  account_id: string;
  /** Digest of the caller's key. */
  key: string;
  /** Of the request, keyed with the caller's key. */
  fingerprint: string;
  result: string;
  created_at: number;
}

/** How long operations really took here, for estimates. */
export interface DurationTable {
  stack_id: string;
  ended_at: number;
  driver: string;
  operation: Operation;
  milliseconds: number;
}

export interface SandboxStackTable {
  cloud_account: string;
  stack_id: string;
  record: string;
}

export interface SandboxFaultTable {
  cloud_account: string;
  record: string;
}
