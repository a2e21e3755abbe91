/** Tokens of one browser session: it is renewed with new tokens, for a limited time. */
export const sessions: readonly string[] = [
  `alter table access_tokens add column session_hash text`,
  `alter table access_tokens add column session_at bigint`,
  `create index access_tokens_session on access_tokens (session_hash)`,
];
