import type { ClientKind } from '../../model/client-kinds.ts';
import type { HeldRole } from '../../model/decide-access.ts';

/** Members of every actor. */
export interface Authenticated {
  accountId: string;
  /** The client that the token was issued to: an API client, the command line, the ssh gateway, or a stack. */
  clientId: string;
  clientKind: ClientKind;
  /** Digest of the access token. */
  tokenHash?: string;
  /** Set if the token belongs to a browser session: it stays the same when the session gets a new token. */
  sessionHash?: string;
  /** When the password was proved last. Absent: the token is not one of a sign-in. */
  provedAt?: number;
}

/** What long-running work keeps to find its actor again: a renewed session is still the same sign-in. */
export const lastingHash = ({ sessionHash, tokenHash }: Authenticated): string | undefined =>
  sessionHash ?? tokenHash;

/** The user, API client or stack that a token belongs to. */
export type Actor =
  | (Authenticated & {
      kind: 'user';
      userId: string;
      username: string;
      master: boolean;
      /** Roles that limit the user; they do not limit the master. */
      roles: readonly HeldRole[];
      /** What a personal access token leaves of the rights of the user. */
      tokenRoles?: readonly HeldRole[];
      /** Set if the caller uses a personal access token. */
      personalToken?: { id: string; name: string };
    })
  /** An API client that acts for itself. Roles limit kind `service` only. */
  | (Authenticated & { kind: 'client'; roles: readonly HeldRole[] })
  /** An agent on one of the stack's instances. */
  | (Authenticated & { kind: 'stack'; stackId: string });
