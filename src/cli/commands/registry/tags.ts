import type { listImageTags } from '../../../contract/v3/registry/images.ts';
import type { Run } from '../../command.ts';
import { type OpenRegistry, openImage, registryOfImage } from './open-registry.ts';

async function readTags(opened: OpenRegistry, name: string): Promise<string[]> {
  const { context, usesService } = opened;
  if (!usesService)
    return registryOfImage(opened, name, 'pull').list(`/v2/${name}/tags/list`, 'tags', { name });
  const query = { image_id: name };
  const path = '/v3/alm/registry/imagetags';
  return (await context.api.call<typeof listImageTags>('GET', path, { query })).body.tags;
}

export const showTags: Run = async (context) => {
  const { name, opened } = await openImage(context);
  const tags = await readTags(opened, name);
  if (tags.length === 0) context.out.info(`${name} has no tags.`);
  await context.out.document(JSON.stringify({ name, tags }), () => ({
    header: ['IMAGE', 'TAG'],
    rows: tags.map((tag) => [name, tag]),
  }));
};
