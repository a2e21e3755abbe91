import { CliError, usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { formatImage } from '../../registry/image.ts';
import { tagsOfContent } from '../../registry/same-content.ts';
import { openImage, registryOfImage } from './open-registry.ts';

function sharedContent(image: string, others: readonly string[]): CliError {
  const tags = others.length === 1 ? `the tag ${others[0]}` : `the tags ${others.join(', ')}`;
  return new CliError('conflict', `${image} has the same content as ${tags}, which would also be deleted.`, {
    lines: ['A registry deletes content together with every tag that refers to it. Nothing was deleted.'],
    hints: [`To delete all of them: alm registry delete --image ${image} --force`],
  });
}

export const deleteImage: Run = async (context) => {
  const { args, out } = context;
  const { image, name, opened } = await openImage(context);
  const registry = registryOfImage(opened, name, '*');
  const { reference } = image;
  if (reference === undefined)
    throw usageError(
      `A tag or digest of ${name} is required.`,
      `Example: alm registry delete --image ${name}:latest`,
    );
  const shown = formatImage(name, reference);
  const digest = await registry.digest(name, reference);
  const tags = await tagsOfContent(registry, name, digest);
  const others = tags.filter((tag) => tag !== reference);
  if (others.length > 0 && !args.is('force')) throw sharedContent(shown, others);
  if (others.length > 0)
    out.warn(`These tags have the same content and are also deleted: ${others.join(', ')}`);
  await registry.delete(name, digest, shown);
  await out.document(JSON.stringify({ status: 'success', image: shown, digest, tags }));
};
