import type { listAudit as listRoute } from '../../../contract/v3/audit.ts';
import type { Context, Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';
import { filtersFrom } from './filters.ts';

const maxPageSize = 1000;

/** Reads pages until there are `wanted` entries, or no more. */
async function readEntries(context: Context, wanted: number) {
  const filters = filtersFrom(context);
  const texts: string[] = [];
  const entries = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(maxPageSize, wanted - entries.length);
    const query = { ...filters, limit, ...(cursor === undefined ? {} : { cursor }) };
    const { text, body, headers } = await context.api.call<typeof listRoute>('GET', '/v3/audit', { query });
    texts.push(text);
    entries.push(...body);
    cursor = body.length === 0 ? undefined : [headers['x-next-cursor']].flat()[0];
  } while (cursor !== undefined && entries.length < wanted);
  return { text: joinArrays(texts), entries };
}

/** Joins JSON arrays as texts, so that their members stay byte for byte. */
const joinArrays = (arrays: readonly string[]): string =>
  arrays.length === 1
    ? (arrays[0] ?? '')
    : `[${arrays
        .map((array) => array.trim().slice(1, -1))
        .filter(Boolean)
        .join(',')}]`;

export const listAudit: Run = async (context) => {
  const { text, entries } = await readEntries(context, context.args.number('limit') ?? 100);
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
