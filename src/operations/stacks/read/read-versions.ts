import { notFound } from '../../../basics/failure.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import {
  findNewestVersion,
  findVersion,
  type ListedVersion,
  listVersions,
  type VersionPage,
  type VersionRow,
} from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { requireOnStack } from '../../access/permission.ts';
import type { Service } from '../../service.ts';
import { findVisible } from './describe-stack.ts';

/** Newest first; of the whole list, the first is the latest. */
export async function readVersions(
  service: Service,
  actor: Actor,
  stackId: string,
  page: VersionPage,
): Promise<(ListedVersion & { latest: boolean })[]> {
  const stack = await findVisible(service, actor, stackId, 'v3');
  const versions = await listVersions(service.database, stack.id, page);
  const isWhole = page.after === undefined;
  return versions.map((version, index) => Object.assign(version, { latest: isWhole && index === 0 }));
}

/** A stored template: which stack's, and which version of it; empty or `latest` is the newest. */
export interface StoredTemplate {
  stackId: string;
  version: string;
}

export async function readVersion(
  service: Service,
  actor: Actor,
  { stackId, version: asked }: StoredTemplate,
): Promise<{ stack: StackRow; version: VersionRow; document: Readonly<Record<string, unknown>> }> {
  const { query } = service.database;
  // Comparing names its stacks in the body, which nobody has checked yet.
  await requireOnStack(query, actor, 'template:describeAlmTemplate', stackId);
  const stack = await findVisible(service, actor, stackId, 'v3');
  const isNewest = asked === '' || asked === 'latest';
  const version = await (isNewest ? findNewestVersion(query, stackId) : findVersion(query, stackId, asked));
  if (!version) throw notFound('Version', asked);
  return { stack, version, document: version.document };
}
