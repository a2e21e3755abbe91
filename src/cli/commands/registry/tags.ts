import type { Run } from '../../command.ts';
import { openImage, registryOfImage } from './open-registry.ts';

export const showTags: Run = async (context) => {
  const { name, opened } = await openImage(context);
  const registry = registryOfImage(opened, name, 'pull');
  const tags = await registry.list(`/v2/${name}/tags/list`, 'tags', { name });
  if (tags.length === 0) context.out.info(`${name} has no tags.`);
  await context.out.document(JSON.stringify({ name, tags }), () => ({
    header: ['IMAGE', 'TAG'],
    rows: tags.map((tag) => [name, tag]),
  }));
};
