import { Failure, notFound } from '../../../basics/failure.ts';
import { randomText } from '../../../basics/random.ts';
import type { ImageReference } from '../../../model/registry/image-id.ts';
import { deleteTag } from '../../../registry/delete-tag.ts';
import {
  type Content,
  type DeletionPlan,
  type DeletionTarget,
  planDeletion,
  type TaggedContent,
} from '../../../registry/plan-deletion.ts';
import { readContents, readDigests } from '../../../registry/read-tags.ts';
import type { Registry } from '../../../registry/registry.ts';
import { findRepository } from '../../../store/registry/repositories.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { readImageId, requireOnRepository } from './find-repository.ts';
import { forgetDeleted } from './forget-deleted.ts';
import { openRegistry } from './open-registry.ts';
import { type ImageUse, nameUses, usesAmong, usesOf } from './used-by.ts';

/** What a deletion does, and what speaks against it. */
export interface DeletionEffect extends DeletionPlan {
  repository: string;
  /** Stacks that use what would be deleted. */
  uses: readonly ImageUse[];
  /** Why it needs `force`; null: it does not. */
  objection: string | null;
}

interface Prepared {
  registry: Registry;
  image: ImageReference;
  effect: DeletionEffect;
}

const textOf = ({ repository, tag, digest }: ImageReference): string =>
  repository + (digest === null ? '' : `@${digest}`) + (digest === null && tag !== null ? `:${tag}` : '');

async function targetOf(
  registry: Registry,
  { repository, tag, digest }: ImageReference,
): Promise<DeletionTarget | null> {
  if (digest !== null) {
    const [content] = await readDigests(registry, repository, [digest]);
    return content ? { kind: 'digest', ...content } : null;
  }
  return tag === null ? { kind: 'repository' } : { kind: 'tag', tag };
}

const isMissing = (target: DeletionTarget | null, contents: readonly TaggedContent[]): boolean =>
  target === null || (target.kind === 'tag' && !contents.some(({ tag }) => tag === target.tag));

function objectionTo(image: ImageReference, others: readonly string[], uses: readonly ImageUse[]) {
  const shared = others.length === 0 ? [] : [`the tags ${others.join(', ')} refer to this content`];
  const used = uses.length === 0 ? [] : [`it is used by ${nameUses(uses)}`];
  const reasons = [...used, ...shared];
  return reasons.length === 0 ? null : `${textOf(image)} was not deleted: ${reasons.join('; ')}`;
}

/** Also tags and pinned content that would stay, but lose a platform. */
const affectedBy = ({ tags, others, digests }: DeletionPlan, pinned: readonly Content[]) => ({
  tags: [...tags, ...others],
  digests: [
    ...digests,
    ...pinned.filter(({ parts }) => parts.some((part) => digests.includes(part))).map(({ digest }) => digest),
  ],
});

async function prepare(service: Service, actor: Actor, imageId: string): Promise<Prepared> {
  const image = readImageId(imageId);
  const { repository } = image;
  const registry = await openRegistry(service);
  await requireOnRepository(service, actor, { repository, actions: ['delete'] });
  const contents = await readContents(registry, repository);
  const target = await targetOf(registry, image);
  const isKnown = contents.length > 0 || (await findRepository(service.database.query, repository));
  if (!target || !isKnown || isMissing(target, contents))
    throw notFound(isKnown ? 'Image' : 'Repository', isKnown ? textOf(image) : repository);
  const all = await usesOf(service, actor, repository);
  const pins = all.flatMap(({ digest }) => digest ?? []);
  const pinned = await readDigests(registry, repository, pins);
  const plan = planDeletion(contents, target, pinned);
  const uses = target.kind === 'repository' ? all : usesAmong(all, affectedBy(plan, pinned));
  const objection = objectionTo(image, plan.others, uses);
  return { registry, image, effect: { ...plan, repository, uses, objection } };
}

/** Changes nothing. */
export const previewDeletion = async (
  service: Service,
  actor: Actor,
  imageId: string,
): Promise<DeletionEffect> => (await prepare(service, actor, imageId)).effect;

/** Deletes a tag, a content or a whole repository: exactly what the name says. */
export async function deleteImage(
  service: Service,
  actor: Actor,
  { imageId, force }: { imageId: string; force: boolean },
): Promise<DeletionEffect> {
  const { registry, image, effect } = await prepare(service, actor, imageId);
  const { repository, objection, untag, digests } = effect;
  if (objection !== null && !force)
    throw new Failure('conflict', objection, {
      description: 'Nothing was changed. To delete it anyway, send force=true (alm registry delete --force).',
    });
  if (untag !== null) await deleteTag(registry, { repository, ...untag, unique: randomText(24) });
  for (const digest of digests) await registry.deleteManifest(repository, digest);
  const isWhole = image.tag === null && image.digest === null;
  await forgetDeleted(service, registry, { repository, tags: effect.tags, isWhole });
  return effect;
}
