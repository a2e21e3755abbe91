import { deleteAccessTokensOf } from '../../store/access/accounts.ts';
import { deletePasskeysOf } from '../../store/access/passkeys.ts';
import { deletePersonalTokensOf } from '../../store/access/personal-tokens.ts';
import type { Query } from '../../store/database/database.ts';

/** Ends all sign-ins, personal access tokens and passkeys of a user: one of them may be that of a thief. */
export async function endAccessOf(query: Query, userId: string): Promise<void> {
  await deleteAccessTokensOf(query, userId);
  await deletePersonalTokensOf(query, userId);
  await deletePasskeysOf(query, userId);
}
