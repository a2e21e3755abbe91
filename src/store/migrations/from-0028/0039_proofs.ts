/** When the user of a token last proved the password. Null: when it signed in. */
export const proofs: readonly string[] = ['alter table access_tokens add column proved_at bigint'];
