import type { FreshToken, SignIn } from '../net/request-token.ts';

/** Entry of the native store for a profile: the credentials, the service they are for, and the current token. */
export interface StoredLogin extends FreshToken {
  signIn: SignIn;
  /** URL of the service. The credentials must not be sent to any other. */
  url: string;
}

/** The platform's store for secrets, with one entry per profile. */
export interface CredentialStore {
  /** Name for messages. */
  readonly name: string;
  read(profile: string): Promise<StoredLogin | null>;
  /** Stores a new login and verifies that it can be read back. */
  write(profile: string, login: StoredLogin): Promise<void>;
  /** Stores a renewed token without verification: the store is known to work, and others may write concurrently. */
  replace(profile: string, login: StoredLogin): Promise<void>;
  /** Deleting an absent entry succeeds. */
  delete(profile: string): Promise<void>;
}

/** A kind of store: texts by entry name. */
export interface SecretBackend {
  readonly name: string;
  /** Program of the platform that accesses it. */
  readonly program: string;
  /** Returns why it cannot be used here, or null if it can. Must be fast and must not prompt. */
  unavailableReason(): Promise<string | null>;
  get(entry: string): Promise<string | null>;
  put(entry: string, text: string): Promise<void>;
  remove(entry: string): Promise<void>;
}
