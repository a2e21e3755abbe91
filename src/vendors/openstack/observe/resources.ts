import type { Client } from '../client.ts';
import { observing, unlessDeleted } from '../errors.ts';
import { requireList } from '../rest/require-list.ts';
import { pathInLink, pathOf } from './stack-path.ts';

/** A resource of a stack, or of a stack nested in it. */
export interface HeatResource {
  name: string;
  type: string;
  physicalId: string;
  status: string;
  reason: string;
  updatedAt: string;
  /** The path of the stack that the resource is part of. */
  stack: string;
  /** The path of the stack nested in the resource; empty: there is none. */
  nested: string;
}

interface ResourceRow {
  resource_name: string;
  resource_type: string;
  physical_resource_id?: string | null;
  resource_status: string;
  resource_status_reason?: string | null;
  updated_time?: string;
  links?: readonly { rel: string; href: string }[];
}

const linkOf = ({ links = [] }: ResourceRow, rel: string): string =>
  pathInLink(links.find((link) => link.rel === rel)?.href ?? '');

const resourceOf = (row: ResourceRow): HeatResource => ({
  name: row.resource_name,
  type: row.resource_type,
  physicalId: row.physical_resource_id ?? '',
  status: row.resource_status,
  reason: row.resource_status_reason ?? '',
  updatedAt: row.updated_time ?? '',
  stack: linkOf(row, 'stack'),
  nested: linkOf(row, 'nested'),
});

/** The resources of a stack; with a depth, also those of the stacks nested in it. None: the stack is gone. */
export async function readResources(
  client: Client,
  stack: { stackId: string; heatId: string },
  query: { depth?: number; type?: string } = {},
): Promise<HeatResource[]> {
  const { depth = 0, type } = query;
  const filter = type === undefined ? '' : `&type=${encodeURIComponent(type)}`;
  const path = `${pathOf(stack)}/resources?nested_depth=${depth}${filter}`;
  const found = await observing(() =>
    unlessDeleted(() =>
      client.read<{ resources?: readonly ResourceRow[] }>({ service: 'orchestration', path }),
    ),
  );
  return found ? requireList(found.resources, 'resources').map(resourceOf) : [];
}
