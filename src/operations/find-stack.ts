import { notFound } from '../basics/failure.ts';
import type { Query } from '../store/database/database.ts';
import { findStack, type StackRow } from '../store/stacks/stacks.ts';

/** A stack as a caller names it. Each API version sees only the stacks written in its own language. */
export interface StackReference {
  stackId: string;
  language: StackRow['language'];
}

/** Finds a stack of the account; throws `not_found` if it is deleted or written in another language. */
export async function findExistingStack(
  query: Query,
  accountId: string,
  { stackId, language }: Pick<StackReference, 'stackId'> & Partial<StackReference>,
): Promise<StackRow> {
  const stack = await findStack(query, accountId, stackId);
  const isOtherLanguage = language !== undefined && stack?.language !== language;
  if (!stack || isOtherLanguage || stack.deleted_at !== null) throw notFound('Stack', stackId);
  return stack;
}
