import type { FreshToken, SignIn } from '../net/request-token.ts';

/** What the native store keeps of a profile: who signs in where, and the token that is good at present. */
export interface Kept extends FreshToken {
  signIn: SignIn;
  /** The address of the service all this is for. It must be shown to no other. */
  url: string;
}

/** The platform's own place for secrets. Each profile has one entry. */
export interface CredentialStore {
  /** What people call it. */
  readonly name: string;
  read(profile: string): Promise<Kept | null>;
  /** What somebody signed in with; it must come back from the store. */
  write(profile: string, kept: Kept): Promise<void>;
  /** The same with another token: the store is known to work, and others may write at the same time. */
  replace(profile: string, kept: Kept): Promise<void>;
  /** Deleting what is not there is no mistake. */
  delete(profile: string): Promise<void>;
}

/** One kind of store: texts by name. */
export interface Locker {
  readonly name: string;
  /** The program of the platform that opens it. */
  readonly program: string;
  /** Why it cannot be used here, found out quickly and without asking anybody; null when it can. */
  whyNot(): Promise<string | null>;
  get(entry: string): Promise<string | null>;
  put(entry: string, text: string): Promise<void>;
  remove(entry: string): Promise<void>;
}
