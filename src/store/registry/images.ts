import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import { JsonColumn } from '../database/json-column.ts';
import type { RegistryImageTable } from '../database/registry-tables.ts';

export interface ImageRow extends Omit<Selectable<RegistryImageTable>, 'platforms'> {
  platforms: readonly string[];
}

const platformsColumn = new JsonColumn<readonly string[]>('registry_images.platforms');

const imageFrom = (row: Selectable<RegistryImageTable>): ImageRow => ({
  ...row,
  platforms: platformsColumn.parse(row.platforms, `${row.repository}:${row.tag}`),
});

/** The tags of these repositories, by name. */
export async function listImages(query: Query, repositories: readonly string[]): Promise<ImageRow[]> {
  const found: ImageRow[] = [];
  for (const part of inParts(repositories)) {
    const rows = await query
      .selectFrom('registry_images')
      .selectAll()
      .where('repository', 'in', part)
      .orderBy('repository')
      .orderBy('tag')
      .execute();
    found.push(...rows.map(imageFrom));
  }
  return found;
}

export async function findImage(
  query: Query,
  repository: string,
  tag: string,
): Promise<ImageRow | undefined> {
  const row = await query
    .selectFrom('registry_images')
    .selectAll()
    .where('repository', '=', repository)
    .where('tag', '=', tag)
    .executeTakeFirst();
  return row && imageFrom(row);
}

/** Replaces what is known of the tag. */
export async function saveImage(query: Query, image: ImageRow): Promise<void> {
  const { repository, tag, ...rest } = { ...image, platforms: platformsColumn.format(image.platforms) };
  await query
    .insertInto('registry_images')
    .values({ repository, tag, ...rest })
    .onConflict((conflict) => conflict.columns(['repository', 'tag']).doUpdateSet(rest))
    .execute();
}

export async function deleteImages(query: Query, repository: string, tags: readonly string[]): Promise<void> {
  for (const part of inParts(tags))
    await query
      .deleteFrom('registry_images')
      .where('repository', '=', repository)
      .where('tag', 'in', part)
      .execute();
}

/** The tags that are known to refer to this content. */
export const tagsOfDigest = async (query: Query, repository: string, digest: string): Promise<string[]> => {
  const rows = await query
    .selectFrom('registry_images')
    .select('tag')
    .where('repository', '=', repository)
    .where('digest', '=', digest)
    .execute();
  return rows.map(({ tag }) => tag);
};

export interface Pull {
  repository: string;
  digest: string;
  at: number;
}

/** A pull by tag or by digest counts for all tags of the content. An older pull changes nothing. */
export async function recordPull(query: Query, { repository, digest, at }: Pull): Promise<void> {
  await query
    .updateTable('registry_images')
    .set({ pulled_at: at })
    .where('repository', '=', repository)
    .where('digest', '=', digest)
    .where((where) => where.or([where('pulled_at', 'is', null), where('pulled_at', '<', at)]))
    .execute();
}
