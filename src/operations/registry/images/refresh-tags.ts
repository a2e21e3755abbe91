import { inParallel } from '../../../basics/in-parallel.ts';
import { ownerOf } from '../../../model/registry/repository-name.ts';
import { type InspectedImage, inspectImage } from '../../../registry/inspect.ts';
import { concurrentRequests } from '../../../registry/read-tags.ts';
import type { Registry } from '../../../registry/registry.ts';
import { findAccount } from '../../../store/access/account-rows.ts';
import type { Database, Query } from '../../../store/database/database.ts';
import {
  deleteImages,
  findImage,
  type ImageRow,
  listImages,
  saveImage,
} from '../../../store/registry/images.ts';
import { deleteRepositoryIfEmpty, saveRepository } from '../../../store/registry/repositories.ts';
import type { Service } from '../../service.ts';
import { firstAccountOf } from './find-repository.ts';
import { isLasting } from './lasting-error.ts';

/** Who pushed which content, and when. */
export interface Push {
  digest: string;
  by: string;
  at: number;
}

export interface TagPlace {
  registry: Registry;
  repository: string;
  tag: string;
}

/** The push of this content, if it is known: the newest of those that announced it. */
function pushOf({ digest }: InspectedImage, known: ImageRow | undefined, push: Push | null) {
  const before = known?.digest === digest ? { pushed_by: known.pushed_by, pushed_at: known.pushed_at } : null;
  const isNewer = push?.digest === digest && push.at > (before?.pushed_at ?? -1);
  if (isNewer) return { pushed_by: push.by, pushed_at: push.at };
  return before ?? { pushed_by: '', pushed_at: null };
}

async function accountOf(service: Service, repository: string): Promise<string | null> {
  const id = ownerOf(repository, await firstAccountOf(service));
  return (await findAccount(service.database.query, id)) ? id : null;
}

/** Of two last tags that vanish at the same time, each would see the other and leave an empty repository. */
const lockRepository = (database: Database, query: Query, repository: string): Promise<void> =>
  database.lock(query, `repository ${repository}`);

/** Writes what the registry has under the tag. False: nobody owns the repository, so that nothing is written. */
async function writeTag(
  service: Service,
  { repository, tag }: TagPlace,
  { image, push }: { image: InspectedImage; push: Push | null },
): Promise<boolean> {
  const accountId = await accountOf(service, repository);
  if (accountId === null) return false;
  await service.database.transaction(async (query) => {
    await lockRepository(service.database, query, repository);
    const known = await findImage(query, repository, tag);
    await saveRepository(query, { name: repository, accountId, now: service.clock.now() });
    await saveImage(query, {
      repository,
      tag,
      digest: image.digest,
      media_type: image.mediaType,
      size: image.size,
      platforms: image.platforms,
      ...pushOf(image, known, push),
      pulled_at: known?.digest === image.digest ? known.pulled_at : null,
    });
  });
  return true;
}

async function forgetTag({ database }: Service, { repository, tag }: TagPlace): Promise<void> {
  await database.transaction(async (query) => {
    await lockRepository(database, query, repository);
    await deleteImages(query, repository, [tag]);
    await deleteRepositoryIfEmpty(query, repository);
  });
}

const currentDigest = async ({ registry, repository, tag }: TagPlace): Promise<string | null> =>
  (await registry.manifest(repository, tag))?.digest ?? null;

/** Inspecting an image takes several requests: only one that is not in the index yet needs them. */
async function writeCurrent(service: Service, place: TagPlace, push: Push | null): Promise<string | null> {
  const { registry, repository, tag } = place;
  const known = await findImage(service.database.query, repository, tag);
  const digest = await currentDigest(place);
  const isNewPush = push?.digest === digest && push.at > (known?.pushed_at ?? -1);
  if (known && digest === known.digest && !isNewPush) return digest;
  const image = digest === null ? null : await inspectImage(registry, repository, digest);
  if (image) return (await writeTag(service, place, { image, push })) ? image.digest : null;
  if (known) await forgetTag(service, place);
  return null;
}

const maxAttempts = 3;

/**
 * Makes the index say what the registry has under this tag now. Reads it again after a change: of two announcements at the same
 * time, the one that read first may write last.
 */
export async function refreshTag(service: Service, place: TagPlace, push: Push | null = null): Promise<void> {
  const before = await findImage(service.database.query, place.repository, place.tag);
  for (let attempt = 0, last = before?.digest ?? null; attempt < maxAttempts; attempt += 1) {
    const digest = await writeCurrent(service, place, push);
    if (digest === last) return;
    last = digest;
  }
}

export interface TagFailure {
  tag: string;
  error: Error;
}

/**
 * Makes the index say what the registry has in this repository now. Returns the tags that cannot be read, which stay as they are:
 * one odd image must not hide the others. Fails if no tag can be read.
 */
export async function refreshRepository(
  service: Service,
  registry: Registry,
  repository: string,
): Promise<readonly TagFailure[]> {
  const known = (await listImages(service.database.query, [repository])).map(({ tag }) => tag);
  const tags = [...new Set([...(await registry.tags(repository)), ...known])];
  const failures: TagFailure[] = [];
  await inParallel(tags, concurrentRequests, async (tag) => {
    try {
      await refreshTag(service, { registry, repository, tag });
    } catch (error) {
      if (!isLasting(error)) throw error;
      failures.push({ tag, error });
    }
  });
  if (failures[0] && failures.length === tags.length) throw failures[0].error;
  return failures;
}
