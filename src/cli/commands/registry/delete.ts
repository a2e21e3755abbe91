import type { deleteImage as deleteRoute, previewDeletion } from '../../../contract/v3/registry/images.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { formatImage } from '../../registry/image.ts';
import { tagsOfContent } from '../../registry/same-content.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { type OpenRegistry, openImage, openRegistry, openService, registryOfImage } from './open-registry.ts';

function sharedContent(image: string, others: readonly string[]): CliError {
  const tags = others.length === 1 ? `the tag ${others[0]}` : `the tags ${others.join(', ')}`;
  return new CliError('conflict', `${image} has the same content as ${tags}, which would also be deleted.`, {
    lines: ['A registry deletes content together with every tag that refers to it. Nothing was deleted.'],
    hints: [`To delete all of them: alm registry delete --image ${image} --force`],
  });
}

interface Deletion {
  opened: OpenRegistry;
  name: string;
  /** Undefined: the whole repository. */
  reference: string | undefined;
}

const idOf = ({ name, reference }: Deletion): string =>
  reference === undefined ? name : formatImage(name, reference);

const preview = (deletion: Deletion) =>
  deletion.opened.context.api.call<typeof previewDeletion>('GET', '/v3/alm/registry/image/deletion', {
    query: { image_id: idOf(deletion) },
  });

/** Only the service knows what else is deleted, and the stacks that use it. What it would refuse is not asked for. */
async function lossesOf(deletion: Deletion): Promise<string[]> {
  const { usesService, context } = deletion.opened;
  if (!usesService) return [];
  const { tags, digests, stacks, needs_force: needsForce, reason } = (await preview(deletion)).body;
  if (needsForce && !context.args.is('force'))
    throw new CliError('conflict', reason, { hints: ['To delete it nevertheless: --force'] });
  return [
    ...(reason === '' ? [] : [reason]),
    `Tags that are deleted: ${tags.length > 0 ? tags.join(', ') : 'none'}.`,
    digests.length > 0
      ? 'Their content is deleted too.'
      : 'No content is deleted: something else refers to it.',
    ...stacks.map(({ nickname, stack_id }) => `Stack ${nickname || stack_id} uses it.`),
  ];
}

async function showPreview({ out }: Context, deletion: Deletion): Promise<void> {
  if (!deletion.opened.usesService)
    throw usageError('Only Almanac can preview a deletion, in its own registry.');
  await out.document((await preview(deletion)).text);
}

/** The service deletes a tag alone, even if other tags have the same content. */
async function deleteInService({ api, args, out }: Context, deletion: Deletion): Promise<void> {
  const query = { image_id: idOf(deletion), ...(args.is('force') ? { force: true } : {}) };
  const path = '/v3/alm/registry/image';
  await out.document((await api.call<typeof deleteRoute>('DELETE', path, { query })).text);
}

async function deleteInRegistry({ args, out }: Context, deletion: Deletion): Promise<void> {
  const { opened, name, reference } = deletion;
  if (reference === undefined)
    throw usageError('Only Almanac can delete all tags of an image, in its own registry.');
  const registry = registryOfImage(opened, name, '*');
  const shown = formatImage(name, reference);
  const digest = await registry.digest(name, reference);
  const tags = await tagsOfContent(registry, name, digest);
  const others = tags.filter((tag) => tag !== reference);
  if (others.length > 0 && !args.is('force')) throw sharedContent(shown, others);
  if (others.length > 0)
    out.warn(`These tags have the same content and are also deleted: ${others.join(', ')}`);
  await registry.delete(name, digest, shown);
  await out.document(JSON.stringify({ status: 'success', image: shown, digest, tags }));
}

/** In the registry of the service, whatever the flags: only the service knows the stacks that use an image. */
async function openForDeletion(context: Context): Promise<OpenRegistry> {
  const opened = await openRegistry(context);
  return opened.isOwn && !opened.usesService ? openService(context) : opened;
}

export const deleteImage: Run = async (context) => {
  const { image, name, opened } = await openImage(context, openForDeletion);
  const { reference } = image;
  const isWhole = context.args.is('all');
  if (isWhole && reference !== undefined)
    throw usageError('--all deletes all tags: give the image without a tag or digest.');
  if (!isWhole && reference === undefined)
    throw usageError(
      `A tag or digest of ${name} is required.`,
      `Example: alm registry delete --image ${name}:latest`,
      `To delete all tags: alm registry delete --image ${name} --all`,
    );
  const deletion = { opened, name, reference };
  if (context.args.is('preview')) return showPreview(context, deletion);
  const what = reference === undefined ? `${name} with all its tags` : formatImage(name, reference);
  await confirmDeletion(context, { what: `image ${what}`, losses: () => lossesOf(deletion) });
  const remove = opened.usesService ? deleteInService : deleteInRegistry;
  await remove(opened.context, deletion);
};
