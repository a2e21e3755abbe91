import type { Context } from '../command.ts';
import type { Reply } from '../net/api.ts';

/** Prints the response to a change: `[200 OK] return payload:`, then the document. */
export async function printReply({ out }: Pick<Context, 'out'>, reply: Reply<unknown>): Promise<void> {
  out.info(`[${reply.statusLine}] return payload:`);
  await out.document(reply.text);
}
