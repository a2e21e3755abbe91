/** A vendor's document for one stack: JSON, stored with the version and sent unchanged on every attempt. */
export type VendorDocument = NonNullable<unknown>;

export interface StackOnVendor {
  id: string;
  accountId: string;
  region: string;
}

/** A stack's row as the vendor knows the stack. */
export const stackOnVendor = (row: { id: string; account_id: string; region: string }): StackOnVendor => ({
  id: row.id,
  accountId: row.account_id,
  region: row.region,
});
