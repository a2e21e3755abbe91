import type { Generated } from 'kysely';
import type { InstanceState, RolloutState } from '../../model/rollout.ts';

export interface ApplicationTables {
  layer_revisions: LayerRevisionTable;
  rollouts: RolloutTable;
  app_instances: AppInstanceTable;
  agents: AgentTable;
  containers: ContainerTable;
  replacements: ReplacementTable;
  version_submitters: VersionSubmitterTable;
  tracked_layers: TrackedLayerTable;
  paused_stacks: PausedStackTable;
  deploy_hooks: DeployHookTable;
  hook_deliveries: HookDeliveryTable;
  account_secrets: AccountSecretTable;
  secret_uses: SecretUseTable;
}

/** A secret that containers of the account may get. Its owner is who created it. */
export interface AccountSecretTable {
  account_id: string;
  name: string;
  sealed_value: string;
  /** Increases with every other value. */
  revision: number;
  /** The revision up to which every layer that uses it was revised. Lower: not all are yet. */
  given_revision: number;
  created_by: string;
  updated_by: string;
  updated_at: number;
}

/** The secrets that containers of a version get. */
interface SecretUseTable {
  version_id: string;
  name: string;
}

/** Who submitted a version, to find its rights again. Versions of earlier releases have no row. */
export interface VersionSubmitterTable {
  version_id: string;
  kind: 'user' | 'client';
  /** The id of the user or API client. */
  subject: string;
  /** Digest of the personal access token that limits the rights; null: none does. */
  token_hash: string | null;
}

/** A layer that follows a repository of the registry. The desired version says what exactly; without it the row means nothing. */
export interface TrackedLayerTable {
  stack_id: string;
  flag: string;
  repository: string;
  /** When to look whether something new is to be deployed; null: after the next push. */
  due_at: number | null;
  /** The content that was last deployed or refused automatically; empty: none yet. */
  tried_digest: string;
  /** The newest push that was not deployed because the stack is paused; empty: none. */
  missed_tag: string;
  missed_digest: string;
  missed_at: number | null;
}

/** Stacks without automatic versions. */
export interface PausedStackTable {
  stack_id: string;
  paused_by: string;
  paused_at: number;
}

export interface DeployHookTable {
  id: string;
  stack_id: string;
  sealed_secret: string;
  /** Whose rights it acts with; see `version_submitters`. */
  kind: 'user' | 'client';
  subject: string;
  token_hash: string | null;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
  last_result: string;
}

/** Deliveries that the hooks of a stack accepted: a repeat makes nothing. */
interface HookDeliveryTable {
  stack_id: string;
  /** Digest of the delivery id or of the body; or `call` and a random text, for the limit of calls. */
  delivery: string;
  at: number;
}

/** The time of the last change of a layer's container or code, for its agents. */
export interface LayerRevisionTable {
  stack_id: string;
  flag: string;
  /** Digest of the container section, secrets included. */
  digest: string;
  /** Unix seconds; strictly increases with every change. */
  updated: number;
}

export interface RolloutTable {
  stack_id: string;
  flag: string;
  /** See `layer_revisions.updated`. */
  revision: number;
  version_id: string;
  image: string;
  state: RolloutState;
  began_at: number;
  /** When it fails if it is not over; null: the vendor is not done yet. */
  deadline_at: number | null;
  ended_at: number | null;
  /** Instances that should serve it, those that do, and those that cannot. */
  wanted: number;
  serving: number;
  failing: number;
  reason: string;
  last_lines: string;
  /** 1: the stack does not go back by itself, because the template says so or it was refused. */
  stays: number;
  /** Why it began, if not for its version. May be empty. */
  cause: Generated<string>;
}

/** What one instance runs, by its last report. */
export interface AppInstanceTable {
  stack_id: string;
  instance_id: string;
  flag: string;
  /** The revision that the report is about. */
  revision: number;
  /** The revision that serves; 0: none does. */
  serving_revision: number;
  state: Exclude<InstanceState, 'unknown'>;
  /** 1: trying again cannot help. */
  is_definite: number;
  since: number;
  reason: string;
  last_lines: string;
  /** What serves. */
  image: string;
  digest: string;
  reported_at: number;
  /** How often it reports; 0: only changes. */
  every_seconds: number;
}

export interface AgentTable {
  stack_id: string;
  agent_id: string;
  instance_id: string;
  status: string;
  message: string;
  updated_at: number;
  /** 0 or 1: the agent sends logs on request. */
  sends_logs: number;
  /** Of what it said about the application; empty: nothing. */
  app_digest: Generated<string>;
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

/** An instance that the cloud reclaims, and the time of the replacement request to the vendor. */
export interface ReplacementTable {
  stack_id: string;
  instance_id: string;
  noticed_at: number;
  asked_at: number | null;
}
