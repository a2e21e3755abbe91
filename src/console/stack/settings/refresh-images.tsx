import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type { previewImages, refreshImages } from '../../../contract/v3/cloud/images.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/read.ts';
import { Planned } from '../../change/effect.tsx';
import { Table } from '../../lists/table.tsx';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Tick } from '../../parts/forms/field.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { useRequestKey } from '../data/request-key.ts';
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
    <Planned preview={preview} ticks={null} stackId={stackId} />
  </>
);

const usePreview = ({ id }: StackNow) =>
  useRead<typeof previewImages>('/v3/alm/stack/{stack_id}/images', { params: { stack_id: id } });

function useRefresh(stack: StackNow, replaces: boolean, onDone: () => void) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: () =>
      call<typeof refreshImages>('POST', '/v3/alm/stack/{stack_id}/images', {
        params: { stack_id: stack.id },
        query: replaces ? { servers: 'replace' } : {},
        headers: { 'idempotency-key': key },
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
  const [confirmed, setConfirmed] = useState(false);
  const replaces = data?.images.some(({ effect }) => effect === 'replace') ?? false;
  const refresh = useRefresh(stack, replaces, onClose);
  const off =
    whyNoEffect({ data, error }) ??
    (refresh.isPending ? 'On its way …' : undefined) ??
    (data?.images.every(({ effect }) => effect === 'none') ? 'All images are the newest.' : undefined) ??
    (replaces && !confirmed ? 'Confirm first.' : undefined);
  return (
    <Dialog title="Refresh the machine images" wide onClose={onClose}>
      <Stack>
        {!data && !error && <Loading what="the images" />}
        {data && <Effect preview={data} stackId={stack.id} />}
        {replaces && (
          <Tick
            label="Replace servers outside groups, with their disks"
            checked={confirmed}
            onChange={(event) => setConfirmed(event.target.checked)}
          />
        )}
        <AsCommand command={`alm stack refresh-images ${stack.id}${replaces ? ' --replace-servers' : ''}`} />
        {(error ?? refresh.error) && <ErrorCard error={error ?? refresh.error} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="main"
          off={off}
          onClick={() => refresh.mutate()}
        >
          Refresh
        </Act>
      </DialogActions>
    </Dialog>
  );
};

export default RefreshImages;
