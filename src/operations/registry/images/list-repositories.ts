import { totalSize } from '../../../registry/total-size.ts';
import { type ImageRow, listImages } from '../../../store/registry/images.ts';
import { listRepositories, type RepositoryRow } from '../../../store/registry/repositories.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { mayOnRepository } from '../rights.ts';
import { firstAccountOf } from './find-repository.ts';

/** A repository with its tags, as the index has it. */
export interface ListedRepository extends RepositoryRow {
  images: readonly ImageRow[];
}

/** Content with several tags counts once. */
export const sizeOfImages = (images: readonly ImageRow[]): number =>
  totalSize(new Map(images.map(({ digest, size }) => [digest, size])).values());

/** The tag that was pushed last; undefined if no push is known. */
export const lastPushed = (images: readonly ImageRow[]): ImageRow | undefined =>
  images
    .filter(({ pushed_at }) => pushed_at !== null)
    .toSorted((a, b) => (b.pushed_at ?? 0) - (a.pushed_at ?? 0))[0];

export async function withImages(
  { database }: Service,
  rows: readonly RepositoryRow[],
): Promise<ListedRepository[]> {
  const images = await listImages(
    database.query,
    rows.map(({ name }) => name),
  );
  const byRepository = new Map<string, ImageRow[]>(rows.map(({ name }) => [name, []]));
  for (const image of images) byRepository.get(image.repository)?.push(image);
  return rows.map((row) => ({ ...row, images: byRepository.get(row.name) ?? [] }));
}

/** Also for a small page: a caller may be allowed to see few of very many. */
const rowsPerRead = 500;

export interface RepositoryFilter {
  after?: string | undefined;
  /** Absent: all. */
  limit?: number | undefined;
}

/** The repositories of the account that the caller may pull from, by name. Reads the index only, so that it is fast. */
export async function listVisibleRepositories(
  service: Service,
  actor: Actor,
  { after, limit = Infinity }: RepositoryFilter,
): Promise<ListedRepository[]> {
  const firstAccountId = await firstAccountOf(service);
  const visible: RepositoryRow[] = [];
  for (let last = after; ; ) {
    const rows = await listRepositories(service.database.query, actor.accountId, {
      after: last,
      limit: rowsPerRead,
    });
    visible.push(
      ...rows.filter(({ name }) =>
        mayOnRepository(actor, { action: 'pull', repository: name, firstAccountId }),
      ),
    );
    if (rows.length < rowsPerRead || visible.length >= limit)
      return withImages(service, visible.slice(0, limit));
    last = rows.at(-1)?.name;
  }
}
