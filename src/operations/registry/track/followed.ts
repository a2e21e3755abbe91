import { isRepositoryName, ownerOf } from '../../../model/registry/repository-name.ts';
import { imageOn } from '../../../model/registry/template-image.ts';
import { isOlder, newestOf, parseTrack } from '../../../model/registry/track.ts';
import type { Container } from '../../../model/stack-model.ts';
import type { Query } from '../../../store/database/database.ts';
import { readMeta } from '../../../store/database/meta.ts';
import { findImage, type ImageRow, listImages } from '../../../store/registry/images.ts';
import { findRepository } from '../../../store/registry/repositories.ts';

/** A repository of this server's registry that a layer follows. */
export interface Followed {
  repository: string;
  reference: string;
}

/** Null: it is not on the registry with this host. */
export function followedOn(host: string, track: string): Followed | null {
  const parsed = parseTrack(track);
  if (!parsed) return null;
  const { name, reference } = parsed;
  const repository = name.startsWith(`${host}/`) ? name.slice(host.length + 1) : name;
  return repository.includes('/') && isRepositoryName(repository) ? { repository, reference } : null;
}

/** The account of a namespace with 13 digits and a dot; such a name is never one of a server. */
const accountNamespace = /^[0-9a-f]{13}\./;

/** Whether the repository is or can be one of the account. A first part with a dot looks like a server, unless it is known. */
export async function isOfAccount(query: Query, accountId: string, repository: string): Promise<boolean> {
  const firstAccountId = (await readMeta(query, 'first_account')) ?? '';
  if (ownerOf(repository, firstAccountId) !== accountId) return false;
  const [namespace = ''] = repository.split('/', 1);
  if (!namespace.includes('.') || accountNamespace.test(namespace)) return true;
  return (await findRepository(query, repository)) !== undefined;
}

/** What is followed means now; undefined: nothing of it was pushed yet. */
export const newestFollowed = async (
  query: Query,
  { repository, reference }: Followed,
): Promise<ImageRow | undefined> => newestOf(reference, await listImages(query, [repository]));

/** With the digest, so that all instances run the same content, and the tag for people. */
export const pinnedImage = (host: string, { repository, tag, digest }: ImageRow): string =>
  `${host}/${repository}:${tag}@${digest}`;

/** The tag and content that a container has now; null: not known, or another repository. */
export async function presentImage(
  query: Query,
  host: string,
  { image, repository }: { image: Container['image']; repository: string },
): Promise<{ tag: string | null; digest: string | null } | null> {
  const parsed = image === null ? null : imageOn(host, image);
  if (image === null || parsed?.repository !== repository) return null;
  const [, tag = null] = /:([^/:@]+)@[^@]+$/.exec(image) ?? [];
  if (parsed.digest !== null) return { tag, digest: parsed.digest };
  const known = await findImage(query, repository, parsed.tag ?? '');
  return { tag: parsed.tag, digest: known?.digest ?? null };
}

/** Whether the container is to get the newest image: another content, and not an older version. */
export async function newerThanPresent(
  query: Query,
  host: string,
  { followed, image }: { followed: Followed; image: Container['image'] },
): Promise<ImageRow | null> {
  const newest = await newestFollowed(query, followed);
  if (!newest) return null;
  const present = await presentImage(query, host, { image, repository: followed.repository });
  const isSame = present?.digest === newest.digest;
  return isSame || isOlder(newest.tag, present?.tag ?? null) ? null : newest;
}
