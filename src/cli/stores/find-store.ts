import type { System } from '../system.ts';
import type { CredentialStore } from './store.ts';

/** The native store of this machine, where there is one that works. */
export async function findStore(_system: System): Promise<CredentialStore | null> {
  return null;
}
