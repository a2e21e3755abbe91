import type { Endpoints } from '../basics/calls/endpoints.ts';
import type { Clock } from '../basics/clock.ts';
import type { ServiceLimits } from '../basics/config/limits.ts';
import type { OpenIdConfig } from '../basics/config/openid.ts';
import type { RegistryConfig } from '../basics/config/registry.ts';
import type { Sealer } from '../basics/secret.ts';
import type { Quota } from '../model/quota.ts';
import type { OpenIdProvider } from '../openid/provider.ts';
import type { Database } from '../store/database/database.ts';
import type { Vendors } from '../vendors/index.ts';
import type { HashQueue } from './access/hash-queue.ts';
import type { FailedSignIns } from './audit/failed-sign-ins.ts';
import type { Documents } from './documents/documents.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { RegistryEvents } from './registry/images/registry-events.ts';
import type { RememberedPasswords } from './registry/sign-in/remembered-passwords.ts';
import type { SshOptions } from './ssh/options.ts';

/** The OpenID provider that users sign in with, and what its claims mean here. */
export interface OpenIdSignIn {
  provider: OpenIdProvider;
  config: OpenIdConfig;
}

/** Dependencies of every operation; wired once, in main. */
export interface Service {
  database: Database;
  clock: Clock;
  sealer: Sealer;
  vendors: Vendors;
  /** Which addresses of vendors do not answer now. */
  endpoints: Endpoints;
  /** Parses and compiles documents of callers, large ones in other threads. */
  documents: Documents;
  /** Serializes the checks of one login, so that the throttle counts every attempt. */
  loginMutex: KeyedMutex;
  /** All password hashes are computed in it. */
  hashing: HashQueue;
  failedSignIns: FailedSignIns;
  /** Of programs that send the password with every request for a registry token. */
  rememberedPasswords: RememberedPasswords;
  registryEvents: RegistryEvents;
  /** Fires when the server begins to stop: long-running work must end. */
  stopping: AbortSignal;
  /** Absent: users sign in with passwords only. */
  openId?: OpenIdSignIn;
  /** How to reach instances by ssh; the defaults when absent. */
  ssh?: SshOptions;
  settings: {
    /** Longest lifetime of a personal access token. */
    personalTokenDays: number;
    /** Existing clients also send the password grant to v2, where the interface does not define it. */
    passwordGrantOnV2: boolean;
    /** URL under which agents and links reach this service; no trailing slash. */
    baseUrl: string;
    /** Existing clients decode a v3 stack's instances only as an object from layer to list. */
    instancesByFlag: boolean;
    /** Whether a request must confirm that it replaces or removes servers outside groups, with their disks. */
    asksAboutDisks: boolean;
    /** For accounts whose quota the operator has not set. */
    quota: Quota;
    limits: ServiceLimits;
    /** How long a pass waits without an answer of its vendor. */
    passLimitMs: number;
    registry: RegistryConfig;
  };
}

/** Context a secret is sealed for: it cannot be unsealed in any other. */
export const sealedFor = {
  signInCookie: 'sign-in cookie',
  passkeyChallenge: (use: string) => `passkey challenge for ${use}`,
  secondFactor: (userId: string) => `user ${userId} second factor`,
  authToken: (stackId: string) => `stack ${stackId} auth token`,
  stackSecret: (stackId: string, name: string) => `stack ${stackId} secret ${name}`,
  stackKey: (stackId: string, flag: string) => `stack ${stackId} private key of layer ${flag}`,
  accountSecret: (accountId: string, name: string) => `account ${accountId} secret ${name}`,
  deployHook: (id: string) => `deploy hook ${id}`,
  registryRefresh: 'registry refresh token',
  registryHttp: 'registry http secret',
  registryKey: (id: string) => `registry key ${id}`,
  credential: (accountId: string, vendor: string, id: string) =>
    `account ${accountId} credential ${vendor} ${id}`,
};
