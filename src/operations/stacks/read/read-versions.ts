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

/** Lists versions, newest first; `latest` marks the first of the complete list. */
export async function readVersions(
  service: Service,
  actor: Actor,
  { stackId, ...page }: { stackId: string } & VersionPage,
): Promise<(ListedVersion & { latest: boolean })[]> {
  const stack = await findVisible(service, actor, { stackId, language: 'v3' });
  const versions = await listVersions(service.database, stack.id, page);
  const isFirstPage = page.after === undefined;
  return versions.map((version, index) => Object.assign(version, { latest: isFirstPage && index === 0 }));
}

/** A stored template: a stack, and a version of it; empty or `latest` is the newest. */
export interface StoredTemplate {
  stackId: string;
  version: string;
}

export async function readVersion(
  service: Service,
  actor: Actor,
  { stackId, version: versionId }: StoredTemplate,
): Promise<{ stack: StackRow; version: VersionRow; document: Readonly<Record<string, unknown>> }> {
  const { query } = service.database;
  // A comparison names its stacks in the body, which the router does not check.
  await requireOnStack(query, actor, { action: 'template:describeAlmTemplate', stackId });
  const stack = await findVisible(service, actor, { stackId, language: 'v3' });
  const isNewest = versionId === '' || versionId === 'latest';
  const version = await (isNewest
    ? findNewestVersion(query, stackId)
    : findVersion(query, stackId, versionId));
  if (!version) throw notFound('Version', versionId);
  return { stack, version, document: version.document };
}
