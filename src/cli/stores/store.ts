import type { FreshToken, SignIn } from '../request-token.ts';

/** What the native store keeps of a profile: who signs in, and the token that is good at present. */
export interface Kept extends FreshToken {
  signIn: SignIn;
}

/** The platform's own place for secrets. Each profile has one entry. */
export interface CredentialStore {
  /** What people call it. */
  readonly name: string;
  read(profile: string): Promise<Kept | null>;
  write(profile: string, kept: Kept): Promise<void>;
  /** Deleting what is not there is no mistake. */
  delete(profile: string): Promise<void>;
}
