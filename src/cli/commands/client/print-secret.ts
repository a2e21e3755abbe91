import type { Context } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { printReply } from '../print-reply.ts';

/** Prints a reply that contains a client secret; a file it is written to becomes private. */
export async function printSecret(context: Context, reply: Reply<unknown>): Promise<void> {
  context.out.keepPrivate();
  await printReply(context, reply);
  context.out.info('The secret is shown only once. Store it in a safe place.');
}
