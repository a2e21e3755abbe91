import { once } from 'node:events';
import type { Static } from 'typebox';
import type { exportAudit as exporting, listAudit as listing } from '../../../contract/v3/audit.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { chunksOf } from '../../net/http.ts';
import { tableTime } from '../../view/table.ts';

type Query = Static<(typeof exporting)['query']>;

const largestPage = 1000;

const filters = ({ args }: Context): Query => {
  const names = ['actor', 'action', 'resource', 'from', 'to'] as const;
  const texts = names.flatMap((name) => (args.text(name) ? [[name, args.text(name)]] : []));
  const decision = args.text('decision');
  return {
    ...Object.fromEntries(texts),
    ...(decision === 'allowed' || decision === 'denied' ? { decision } : {}),
  };
};

/** Page after page until there are as many as wanted, or no more. */
async function pagesOf(context: Context, wanted: number) {
  const asked = filters(context);
  const texts: string[] = [];
  const entries = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(largestPage, wanted - entries.length);
    const query = { ...asked, limit, ...(cursor === undefined ? {} : { cursor }) };
    const { text, body, headers } = await context.api.call<typeof listing>('GET', '/v3/audit', { query });
    texts.push(text);
    entries.push(...body);
    cursor = body.length === 0 ? undefined : [headers['x-next-cursor']].flat()[0];
  } while (cursor !== undefined && entries.length < wanted);
  return { text: joined(texts), entries };
}

/** Lists one after the other as one list, as they came. */
const joined = (lists: readonly string[]): string =>
  lists.length === 1
    ? (lists[0] ?? '')
    : `[${lists
        .map((list) => list.trim().slice(1, -1))
        .filter(Boolean)
        .join(',')}]`;

export const listAudit: Run = async (context) => {
  const { text, entries } = await pagesOf(context, context.args.number('limit') ?? 100);
  await context.out.document(text, () => ({
    header: ['TIME', 'ACTOR', 'ACTION', 'RESOURCE', 'DECISION', 'STATUS', 'ADDRESS'],
    rows: entries.map((entry) => [
      tableTime(entry.time),
      entry.actor,
      entry.action,
      entry.resource,
      entry.decision,
      String(entry.status),
      entry.address,
    ]),
  }));
};

const brokeOff = (error: unknown): CliError =>
  new CliError('noAnswer', 'The connection was cut before the export was whole.', {
    hints: ['What was written so far is not all of it: do it again.'],
    cause: error,
  });

/** Written as it comes: it may be more than fits into memory. */
export const exportAudit: Run = async (context) => {
  const { api, out, system, settings } = context;
  const input = { query: filters(context) };
  const answer = await api.stream<typeof exporting>('GET', '/v3/audit/export', input);
  try {
    // A file is made also when there is nothing to tell.
    out.data('');
    for await (const chunk of chunksOf<Buffer>(system.clock, answer, settings.timeout)) {
      out.data(chunk);
      if (system.stdout.writableNeedDrain) await once(system.stdout, 'drain');
    }
  } catch (error) {
    throw error instanceof CliError && error.exitReason !== 'noAnswer' ? error : brokeOff(error);
  } finally {
    answer.destroy();
  }
};
