import type { Static } from 'typebox';
import { offsetTime } from '../../basics/clock.ts';
import type { repository } from '../../contract/v3/schemas/repository.ts';
import type { DeletionEffect } from '../../operations/registry/images/delete-image.ts';
import type { DescribedRepository } from '../../operations/registry/images/describe-repository.ts';
import {
  type ListedRepository,
  lastPushed,
  sizeOfImages,
} from '../../operations/registry/images/list-repositories.ts';
import { type ImageUse, usesAmong } from '../../operations/registry/images/used-by.ts';

type ShownRepository = Static<typeof repository>;
type ShownTag = NonNullable<ShownRepository['tags']>[string];

const timeOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : offsetTime(ms);

export function presentRepository(host: string, found: ListedRepository): ShownRepository {
  const last = lastPushed(found.images);
  return {
    repository: found.name,
    image: `${host}/${found.name}`,
    size: sizeOfImages(found.images),
    created_at: offsetTime(found.created_at),
    visibility: found.visibility,
    description: found.description,
    tag_count: found.images.length,
    pushed_by: last?.pushed_by ?? '',
    pushed_at: timeOrNull(last?.pushed_at),
  };
}

/** Each stack once, though several of its layers may use the image. Only those that the caller may see. */
export const stacksOf = (uses: readonly ImageUse[]): { stack_id: string; nickname: string }[] => [
  ...new Map(
    uses
      .filter(({ visible }) => visible)
      .map(({ stackId, nickname }) => [stackId, { stack_id: stackId, nickname }]),
  ).values(),
];

const presentTag = (
  image: ListedRepository['images'][number],
  uses: readonly ImageUse[],
): [string, ShownTag] => [
  image.tag,
  {
    size: image.size,
    digest: image.digest,
    media_type: image.media_type,
    platforms: [...image.platforms],
    pushed_by: image.pushed_by,
    pushed_at: timeOrNull(image.pushed_at),
    pulled_at: timeOrNull(image.pulled_at),
    stacks: stacksOf(usesAmong(uses, { tags: [image.tag], digests: [image.digest] })),
  },
];

export const presentDescribed = (host: string, found: DescribedRepository): ShownRepository => ({
  ...presentRepository(host, found),
  tags: Object.fromEntries(found.images.map((image) => presentTag(image, found.uses))),
  actions: [...found.actions],
});

export const presentEffect = ({ repository: name, tags, digests }: DeletionEffect) => ({
  repository: name,
  tags: [...tags],
  digests: [...digests],
});
