import { undoneIn } from '../../undone.ts';
import type { Undoing } from '../../vendor.ts';
import type { CloudStack } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';

/** What is said of resources that were stopped because another one failed. */
const consequence = /: Resource (creation|update) cancelled/i;

/** Why CloudFormation undoes the last operation, and how far it is. */
export function undoingOf({ arn, status, reason }: CloudStack, history: OperationHistory): Undoing {
  const first = consequence.test(history.reason) ? '' : history.reason;
  return { cause: first || reason || status, progress: undoneIn(history.events, arn) };
}
