import type { Listed, Reader } from '../../shared/adaptive-read.ts';
import type { Client } from '../client.ts';
import { observing, unlessDeleted } from '../errors.ts';
import { hasNext, type Page, readPages } from '../rest/pages.ts';
import { pathOf } from './stack-path.ts';
import { describedVersion, ownTag, tagsIn } from './tags.ts';

/** A stack as Heat lists it. */
export interface HeatStack {
  /** The name in Heat is our stack id. */
  stackId: string;
  /** Heat's own id. The name may belong to several stacks. */
  heatId: string;
  status: string;
  reason: string;
  /** The version that was last requested, also if it failed and was rolled back. */
  version: string;
  /** Whether Heat keeps tags. They name the version also after a rollback. */
  isTagged: boolean;
  createdAt: number;
  /** Start of the last update or deletion; equal to `createdAt` before the first. */
  updatedAt: number;
  /** Other stacks of the same name, which a lost answer to a creation may leave. */
  twins: readonly HeatStack[];
}

interface StackRow {
  id: string;
  stack_name: string;
  stack_status: string;
  stack_status_reason?: string;
  creation_time: string;
  updated_time?: string | null;
  parent?: string | null;
  tags?: readonly string[] | null;
  /** Only the description of one stack has it. */
  description?: string;
}

/** `2026-11-15T20:31:16Z`; older versions of Heat omit the zone. */
export const timeOf = (text: string): number =>
  Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);

function heatStackOf(row: StackRow): HeatStack {
  const { version } = tagsIn(row.tags ?? []);
  const createdAt = timeOf(row.creation_time);
  return {
    stackId: row.stack_name,
    heatId: row.id,
    status: row.stack_status,
    reason: row.stack_status_reason ?? '',
    version: version ?? describedVersion(row.description ?? '') ?? '',
    isTagged: version !== undefined,
    createdAt,
    updatedAt: row.updated_time ? timeOf(row.updated_time) : createdAt,
    twins: [],
  };
}

const byAge = (one: HeatStack, other: HeatStack): number =>
  one.createdAt - other.createdAt || (one.heatId < other.heatId ? -1 : 1);

/** The oldest stack of a name is the stack; the others are its twins. */
export function withTwins(stacks: readonly HeatStack[]): Map<string, HeatStack> {
  const oldest = new Map<string, HeatStack>();
  for (const stack of stacks.toSorted(byAge)) {
    const older = oldest.get(stack.stackId);
    oldest.set(stack.stackId, older ? { ...older, twins: [...older.twins, stack] } : stack);
  }
  return oldest;
}

/** Members of groups are nested stacks. */
const isOwn = ({ parent }: StackRow): boolean => !parent;

const pageSize = 500;

const readPage = (client: Client, path: string): Promise<Page> =>
  observing(() => client.read<Page>({ service: 'orchestration', path }));

type Describe = (row: StackRow) => Promise<StackRow>;

/** Reads all stacks that the query finds, by stack id. */
async function readAll(
  client: Client,
  { query, describe }: { query: string; describe: Describe },
  maxPages: () => number,
): Promise<Listed<HeatStack> | undefined> {
  const path = `/stacks?limit=${pageSize}${query}`;
  const found = new Map<string, HeatStack>();
  let marker = '';
  for (let pages = 1; pages <= maxPages(); pages += 1) {
    const page = await readPage(client, `${path}${marker}`);
    const rows = (page['stacks'] ?? []) as readonly StackRow[];
    const isNew = rows.some(({ id }) => !found.has(id));
    const described = await Promise.all(rows.filter(isOwn).map(describe));
    for (const row of described) found.set(row.id, heatStackOf(row));
    const isFull = rows.length >= pageSize || hasNext(page);
    if (!isNew || !isFull) return { values: withTwins([...found.values()]), pages };
    marker = `&marker=${rows.at(-1)?.id}`;
  }
  return undefined;
}

/** By name, which cannot be changed. Tags can. */
export async function readByName(client: Client, stackId: string): Promise<HeatStack | undefined> {
  // Heat ignores filters that it does not know: then these are all stacks.
  const path = `/stacks?limit=${pageSize}&name=${encodeURIComponent(stackId)}`;
  const read = (page: string): Promise<Page> => readPage(client, page);
  const rows = await readPages<StackRow>(read, { path, member: 'stacks', limit: pageSize });
  const own = rows.filter((row) => isOwn(row) && row.stack_name === stackId);
  const described = await Promise.all(own.map(describeWith(client)));
  return withTwins(described.map(heatStackOf)).get(stackId);
}

const isTagged = ({ tags }: StackRow): boolean => tagsIn(tags ?? []).version !== undefined;

/** The description of a stack's template, which names its version; empty: the stack is gone. */
export async function readDescription(client: Client, stack: HeatStack): Promise<string> {
  const path = `${pathOf(stack)}?resolve_outputs=False`;
  const found = await observing(() =>
    unlessDeleted(() => client.read<{ stack: StackRow }>({ service: 'orchestration', path })),
  );
  return found?.stack.description ?? '';
}

/** A stack without tags has the version in its description, which lists leave out. */
const describeWith =
  (client: Client): Describe =>
  async (row) => {
    if (isTagged(row)) return row;
    return { ...row, description: await readDescription(client, heatStackOf(row)) };
  };

const maxDescribed = 2_000;

/** Descriptions change only with a new operation. Stacks with other names are not ours. */
function describeOnce(client: Client): Describe {
  const known = new Map<string, string>();
  const describe = describeWith(client);
  return async (row) => {
    if (isTagged(row) || !row.stack_name.startsWith('mo-')) return row;
    const state = `${row.id} ${row.stack_status} ${row.updated_time ?? ''}`;
    const description = known.get(state) ?? (await describe(row)).description ?? '';
    if (known.size >= maxDescribed) known.clear();
    known.set(state, description);
    return { ...row, description };
  };
}

/** A list finds stacks by their tag. Where Heat may not keep tags, it lists all. */
export function stackReader(client: Client, hasTags: boolean): Reader<HeatStack> {
  const listing = hasTags
    ? { query: `&tags=${ownTag}`, describe: async (row: StackRow) => row }
    : { query: '', describe: describeOnce(client) };
  return {
    one: (stackId) => readByName(client, stackId),
    all: (maxPages) => readAll(client, listing, maxPages),
  };
}
