import { Failure, notFound } from '../../../basics/failure.ts';
import { type ImageReference, parseImage } from '../../../model/registry/image-id.ts';
import { readMeta } from '../../../store/database/meta.ts';
import type { Actor } from '../../access/access.ts';
import { noPermission } from '../../access/permission.ts';
import type { Service } from '../../service.ts';
import { mayOnRepository } from '../rights.ts';
import { type RepositoryAction, repositoryActions } from '../scopes.ts';

export const firstAccountOf = async ({ database }: Service): Promise<string> =>
  (await readMeta(database.query, 'first_account')) ?? '';

/** An image as callers name it: `ann/shop`, `ann/shop:1.4` or `ann/shop@sha256:…`. */
export function readImageId(text: string): ImageReference {
  const image = parseImage(text);
  if (image) return image;
  const message = `"${text.slice(0, 100)}" is not the name of an image`;
  throw new Failure('invalid_request', message, {
    description:
      'Send <user>/<name>, <user>/<name>:<tag> or <user>/<name>@<digest>, without the address of the registry.',
    problems: [{ path: 'image_id', message }],
  });
}

/** What the caller may do with a repository. Empty: it must not know that there is one. */
export async function actionsOn(
  service: Service,
  actor: Actor,
  repository: string,
): Promise<RepositoryAction[]> {
  const firstAccountId = await firstAccountOf(service);
  return repositoryActions.filter((action) => mayOnRepository(actor, { action, repository, firstAccountId }));
}

/** Throws `not_found` if the caller may not see the repository, `forbidden` if it may see but not change it. */
export async function requireOnRepository(
  service: Service,
  actor: Actor,
  { repository, actions }: { repository: string; actions: readonly RepositoryAction[] },
): Promise<void> {
  const allowed = await actionsOn(service, actor, repository);
  if (!allowed.includes('pull')) throw notFound('Repository', repository, { denied: true });
  const missing = actions.find((action) => !allowed.includes(action));
  if (missing === undefined) return;
  throw new Failure('forbidden', 'RBAC response is limited.', {
    description: noPermission(`registry:${missing}`, { why: `The repository is ${repository}.` }),
  });
}
