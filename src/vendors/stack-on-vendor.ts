/** A vendor's document for one stack: JSON, stored with the version and sent unchanged on every attempt. */
export type VendorDocument = NonNullable<unknown>;

/** The vendor's own choices, made with the cloud's help, where a model leaves them open: images, zones, … */
export type VendorChoices = NonNullable<unknown>;

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
