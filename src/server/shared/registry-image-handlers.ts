import type * as images from '../../contract/v3/registry/images.ts';
import type { Actor } from '../../operations/access/access.ts';
import { setDescription, setVisibility } from '../../operations/registry/images/change-repository.ts';
import { deleteImage, previewDeletion } from '../../operations/registry/images/delete-image.ts';
import { describeRepository, readTags } from '../../operations/registry/images/describe-repository.ts';
import { listVisibleRepositories } from '../../operations/registry/images/list-repositories.ts';
import { registryHost } from '../../operations/registry/images/open-registry.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';
import { decodeCursor, oneMore, pageOf } from './page-cursor.ts';
import { presentDescribed, presentEffect, presentRepository, stacksOf } from './present-repository.ts';

type ImageHandlers = Handlers<typeof images.registryImageRoutes, Actor>;

const listHandler =
  (service: Service, path: string): ImageHandlers['listRepositories'] =>
  async ({ actor, query, setHeader }) => {
    const { targetValue, limit, cursor } = query;
    const host = await registryHost(service);
    if (targetValue !== undefined)
      return [presentDescribed(host, await describeRepository(service, actor, targetValue))];
    const after = cursor === undefined ? undefined : decodeCursor(cursor).id;
    const found = await listVisibleRepositories(service, actor, { after, limit: oneMore(limit) });
    const page = pageOf(found, { path, query, limit, setHeader }, ({ name, created_at: createdAt }) => ({
      createdAt,
      id: name,
    }));
    return page.map((each) => presentRepository(host, each));
  };

export const registryImageHandlers = (service: Service, version: 'v2' | 'v3'): ImageHandlers => ({
  listRepositories: listHandler(service, `/${version}/alm/registry`),
  listImageTags: ({ actor, query }) => readTags(service, actor, query.image_id),
  setRepositoryDescription: async ({ actor, query }) => {
    const { image_id: imageId, description } = query;
    return { status: 'success', repository: await setDescription(service, actor, { imageId, description }) };
  },
  setRepositoryVisibility: async ({ actor, query }) => {
    const { image_id: imageId, visibility } = query;
    return { status: 'success', repository: await setVisibility(service, actor, { imageId, visibility }) };
  },
  previewImageDeletion: async ({ actor, query }) => {
    const effect = await previewDeletion(service, actor, query.image_id);
    return {
      ...presentEffect(effect),
      stacks: stacksOf(effect.uses),
      needs_force: effect.objection !== null,
      reason: effect.objection ?? '',
    };
  },
  deleteImage: async ({ actor, query }) => {
    const { image_id: imageId, force = false } = query;
    return { status: 'success', ...presentEffect(await deleteImage(service, actor, { imageId, force })) };
  },
});
