import type { SuccessOf } from '../../contract/route.ts';
import type { deleteImage, previewDeletion } from '../../contract/v3/registry/images.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { word } from '../parts/acts/command.ts';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Answer } from '../parts/reading/answer.tsx';

type Effect = SuccessOf<typeof previewDeletion>;

const tagsText = (tags: readonly string[]): string =>
  tags.length === 1 ? `The tag ${tags[0]} is deleted.` : `These tags are deleted: ${tags.join(', ')}.`;

const consequencesOf = ({ tags, digests, stacks, needs_force: isForced, reason }: Effect): string[] => [
  tags.length === 0 ? 'No tag is deleted.' : tagsText(tags),
  digests.length === 0
    ? 'Its content stays, because another tag refers to it.'
    : 'Its content is deleted. Nobody can pull it any more, also not by its digest.',
  ...(stacks.length > 0
    ? [
        `These stacks use it: ${stacks.map(({ nickname, stack_id }) => nickname || stack_id).join(', ')}. New instances of them cannot start.`,
      ]
    : []),
  ...(isForced && stacks.length === 0 ? [reason] : []),
];

interface DeleteProps {
  /** With a tag, or a whole repository. */
  imageId: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Shows what would be deleted before it asks. */
export const DeleteImage = ({ imageId, onDeleted, onClose }: DeleteProps) => {
  const query = { image_id: imageId };
  const effect = useRead<typeof previewDeletion>(
    '/v3/alm/registry/image/deletion',
    { query },
    { staleTime: 0 },
  );
  const title = `Delete ${imageId}`;
  const remove = async (force: boolean): Promise<void> => {
    await call<typeof deleteImage>('DELETE', '/v3/alm/registry/image', { query: { ...query, force } });
    await readAgain('/v3/alm/registry');
    announce(`Deleted ${imageId}`);
    onDeleted();
  };
  if (!effect.data)
    return (
      <Dialog title={title} onClose={onClose}>
        <Answer of={effect} what="the effect">
          {() => null}
        </Answer>
      </Dialog>
    );
  const { needs_force: isForced } = effect.data;
  return (
    <Confirm
      title={title}
      consequences={consequencesOf(effect.data)}
      act={isForced ? 'Delete anyway' : 'Delete'}
      word={isForced ? imageId : undefined}
      command={`alm registry delete --image ${word(imageId, 'image')}${imageId.includes(':') ? '' : ' --all'}${isForced ? ' --force' : ''}`}
      onConfirm={() => remove(isForced)}
      onClose={onClose}
    />
  );
};
