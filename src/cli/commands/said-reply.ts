import type { Context } from '../command.ts';
import type { Reply } from '../net/api.ts';

/** What a change was answered with: `[200 OK] return payload:`, then the document. */
export async function sayReply({ out }: Pick<Context, 'out'>, reply: Reply<unknown>): Promise<void> {
  out.info(`[${reply.statusLine}] return payload:`);
  await out.document(reply.text);
}
