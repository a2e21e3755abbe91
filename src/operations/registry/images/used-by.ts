import { imageOn } from '../../../model/registry/template-image.ts';
import { listModelsNaming, type StackNaming } from '../../../store/registry/stacks-naming.ts';
import type { Actor } from '../../access/access.ts';
import { maySee } from '../../access/permission.ts';
import type { Service } from '../../service.ts';
import { registryHost } from './open-registry.ts';

/** A stack that runs an image of a repository, or is to run it. */
export interface ImageUse {
  stackId: string;
  nickname: string;
  /** The caller may know of the stack. */
  visible: boolean;
  tag: string | null;
  /** If a template names a digest, engines ignore the tag. */
  digest: string | null;
}

const usesIn = (row: StackNaming, host: string, actor: Actor): (ImageUse & { repository: string })[] =>
  row.model.layers
    .flatMap(({ container }) => (container?.image ? [imageOn(host, container.image)] : []))
    .filter((image) => image !== null)
    .map(({ repository, tag, digest }) => ({
      stackId: row.id,
      nickname: row.nickname,
      visible: maySee(actor, row),
      repository,
      tag,
      digest,
    }));

/** The uses of a repository by stacks of the account that are not deleted: in the desired and in the settled version. */
export async function usesOf(service: Service, actor: Actor, repository: string): Promise<ImageUse[]> {
  const host = await registryHost(service);
  const rows = await listModelsNaming(service.database.query, actor.accountId, `/${repository}`);
  const uses = rows.flatMap((row) => usesIn(row, host, actor)).filter((use) => use.repository === repository);
  const byText = new Map(uses.map((use) => [`${use.stackId} ${use.tag} ${use.digest}`, use]));
  return [...byText.values()];
}

/** What refers to one of these tags or contents. */
export const usesAmong = (
  uses: readonly ImageUse[],
  { tags, digests }: { tags: readonly string[]; digests: readonly string[] },
): ImageUse[] =>
  uses.filter(({ tag, digest }) =>
    digest === null ? tag !== null && tags.includes(tag) : digests.includes(digest),
  );

/** `shop (mo-1), blog (mo-2) and 1 other stack`: those that the caller may not see are only counted. */
export function nameUses(uses: readonly ImageUse[]): string {
  const stacks = [...new Map(uses.map((use) => [use.stackId, use])).values()];
  const named = stacks
    .filter(({ visible }) => visible)
    .map(({ stackId, nickname }) => (nickname === '' ? stackId : `${nickname} (${stackId})`));
  const hidden = stacks.length - named.length;
  const others = hidden === 0 ? [] : [`${hidden} ${hidden === 1 ? 'stack' : 'stacks'} that you may not see`];
  return [...named, ...others].join(', ');
}
