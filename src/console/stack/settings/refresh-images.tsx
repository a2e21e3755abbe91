import { useMutation } from '@tanstack/react-query';
import type { SuccessOf } from '../../../contract/route.ts';
import type { previewImages, refreshImages } from '../../../contract/v3/cloud/images.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/read.ts';
import { Planned } from '../../change/effect.tsx';
import { Asked } from '../../data/ask.tsx';
import { flagsOf, queryOf, questionOf, type Word } from '../../data/question.ts';
import { Table } from '../../lists/table.tsx';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { keyFor, useRequestKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';
import { whyNoEffect } from '../effect.ts';

const effects = {
  none: 'nothing changes',
  rolling: 'its servers are replaced one after the other',
  replace: 'all its servers are replaced, with their disks and addresses',
} as const;

interface Props {
  stack: StackNow;
  onClose: () => void;
}

type Preview = SuccessOf<typeof previewImages>;

const Images = ({ images }: Pick<Preview, 'images'>) => (
  <Table
    label="Layers and their images"
    keyOf={({ flag }) => flag}
    rows={images}
    columns={[
      { title: 'Layer', cell: ({ flag }) => flag },
      { title: 'Image', cell: ({ image }) => <code>{image}</code> },
      { title: 'Newest', cell: ({ newest }) => <code>{newest}</code> },
      { title: 'Effect', cell: ({ effect }) => effects[effect] },
    ]}
  />
);

const Effect = ({ preview, stackId }: { preview: Preview; stackId: string }) => (
  <>
    <Images images={preview.images} />
    <Planned preview={preview} stackId={stackId} />
  </>
);

const usePreview = ({ id }: StackNow) =>
  useRead<typeof previewImages>('/v3/alm/stack/{stack_id}/images', { params: { stack_id: id } });

function useRefresh(stack: StackNow, onDone: () => void) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof refreshImages>('POST', '/v3/alm/stack/{stack_id}/images', {
        params: { stack_id: stack.id },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)) },
      }),
    onSuccess: () => {
      void readStackAgain(stack.id);
      onDone();
    },
  });
}

/** Shows which images are older than the newest, and what a refresh does, before it does it. */
const RefreshImages = ({ stack, onClose }: Props) => {
  const { data, error } = usePreview(stack);
  const refresh = useRefresh(stack, onClose);
  const command = `alm stack refresh-images ${stack.id}`;
  const off =
    whyNoEffect({ data, error }) ??
    (refresh.isPending ? 'On its way …' : undefined) ??
    (data?.images.every(({ effect }) => effect === 'none') ? 'All images are the newest.' : undefined);
  if (questionOf(refresh.error))
    return <Asked of={refresh} command={(word) => command + flagsOf(word)} onClose={onClose} />;
  return (
    <Dialog title="Refresh the machine images" wide onClose={onClose}>
      <Stack>
        {!data && !error && <Loading what="the images" />}
        {data && <Effect preview={data} stackId={stack.id} />}
        <AsCommand command={command} />
        {(error ?? refresh.error) && <ErrorCard error={error ?? refresh.error} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="main"
          off={off}
          onClick={() => refresh.mutate({})}
        >
          Refresh
        </Act>
      </DialogActions>
    </Dialog>
  );
};

export default RefreshImages;
