import type { Client } from '../client.ts';
import type { Dialect } from '../dialect.ts';
import { isDenied, observing } from '../errors.ts';
import { type Page, readPages } from '../rest/pages.ts';
import type { Service } from '../session.ts';
import { type Kind, kinds, type Row } from './leftover-kinds.ts';

/** Nova lists a key pair inside a member, and knows it by its name. */
type ListedRow = Row | { keypair: { name: string } };

const rowOf = (listed: ListedRow): Row =>
  'keypair' in listed ? { id: listed.keypair.name, name: listed.keypair.name } : listed;

/** A resource of a stack, found without Heat. */
export interface Leftover {
  order: number;
  service: Service;
  /** The path of its deletion. */
  path: string;
  id: string;
  /** A thing of the stack that alone assigns this one to it; null: it is assigned by what it has itself. */
  assignedBy: string | null;
  isOf: (stackId: string) => boolean;
  /** Whether it may be assigned by another thing. */
  mayBeOf: (stackId: string) => boolean;
  /** The cloud deletes it already, and rejects another request. */
  isLeaving: boolean;
}

/** Of servers, volumes and load balancers. */
const isLeaving = ({ status, provisioning_status: provisioning, ...row }: Row): boolean =>
  row['OS-EXT-STS:task_state'] === 'deleting' || status === 'deleting' || provisioning === 'PENDING_DELETE';

async function readRows(client: Client, kind: Kind): Promise<readonly Row[]> {
  const { service, list, member, hasOwnRole } = kind;
  const read = async (path: string): Promise<Page> => {
    const page = await observing(() => client.read<Page>({ service, path }));
    return { ...page, [member]: ((page[member] ?? []) as readonly ListedRow[]).map(rowOf) };
  };
  try {
    return await readPages<Row>(read, { path: list, member });
  } catch (cause) {
    if (hasOwnRole && isDenied(cause)) return [];
    throw cause;
  }
}

/**
 * K5 keeps no descriptions. Elsewhere an address without one is a person's, also if it leads to a port of a stack. A load
 * balancer of an earlier release has none either: it counts with a name of Almanac, in a network of the stack.
 */
function assignerOf({ description, port_id: port, vip_network_id: network }: Row, { ownServices }: Dialect) {
  if (description) return null;
  return network ?? (ownServices ? port : null) ?? null;
}

interface Listing {
  client: Client;
  dialect: Dialect;
}

async function listKind({ client, dialect }: Listing, kind: Kind, order: number): Promise<Leftover[]> {
  if (!(await client.session()).endpoint(kind.service, client.region)) return [];
  return (await readRows(client, kind)).map((row) => ({
    order,
    service: kind.service,
    path: kind.delete(row.id),
    id: row.id,
    assignedBy: assignerOf(row, dialect),
    mayBeOf: (stackId) => kind.mayBeOf?.(row, stackId) ?? true,
    isOf: (stackId) => kind.isOf(row, stackId),
    isLeaving: isLeaving(row),
  }));
}

/** Everything in a region that could belong to a stack. */
export const listLeftovers = async (listing: Listing): Promise<readonly Leftover[]> =>
  (await Promise.all(kinds.map((kind, order) => listKind(listing, kind, order)))).flat();

export function leftoversOf(all: readonly Leftover[], stackId: string): Leftover[] {
  const ids = new Set(all.filter(({ isOf }) => isOf(stackId)).map(({ id }) => id));
  return all.filter(
    ({ id, assignedBy, mayBeOf }) =>
      ids.has(id) || (assignedBy !== null && ids.has(assignedBy) && mayBeOf(stackId)),
  );
}
