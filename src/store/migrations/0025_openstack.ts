/** The address of the cloud that a credential belongs to, where a vendor has several clouds. */
export const openStack: readonly string[] = [`alter table credentials add column auth_url text`];
