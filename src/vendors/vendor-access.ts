import type { Secret } from '../basics/secret.ts';

/** What a vendor needs to connect to an account at a cloud. */
export interface VendorAccess {
  accountId: string;
  credentialId: string;
  secret: Secret;
  /** The role with which the vendor makes stacks; null: the key itself. */
  role: string | null;
  /** The cloud, where a vendor has several; null: the only one. */
  authUrl: string | null;
}
