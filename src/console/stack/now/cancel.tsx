import { useMutation } from '@tanstack/react-query';
import type { cancelUpdate } from '../../../contract/v3/versions.ts';
import { call } from '../../api/call.ts';
import { Asked } from '../../data/ask.tsx';
import { flagsOf, queryOf, questionOf, type Word } from '../../data/question.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { lastCompleteVersion } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, readOfStackAgain, useVersions } from '../data/of-stack.ts';
import { keyFor, useRequestKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';

interface CancelProps {
  stack: StackNow;
  onClose: () => void;
}

function useCancel(stack: StackNow, onDone: () => void) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof cancelUpdate>('POST', '/v3/alm/stack/{stack_id}/cancel', {
        params: { stack_id: stack.id },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)) },
      }),
    onSuccess: () => {
      void readStackAgain(stack.id);
      readOfStackAgain(stack);
      onDone();
    },
  });
}

/** Says what cancelling leads to, then cancels. */
export const CancelDialog = ({ stack, onClose }: CancelProps) => {
  const back = lastCompleteVersion(useEvents(stack.id));
  const versions = useVersions(stack);
  const target = back ? nameOfVersion(versions, back) : 'its last complete version';
  const cancel = useCancel(stack, () => {
    announce(`Going back to ${target}`);
    onClose();
  });
  const command = `alm stack cancel ${stack.id}`;
  const { mutate, isPending, error } = cancel;
  if (questionOf(error))
    return <Asked of={cancel} command={(word) => command + flagsOf(word)} onClose={onClose} />;
  return (
    <Dialog title="Cancel the update?" onClose={onClose}>
      <Stack>
        <p>
          <strong>{stack.nickname}</strong> goes back to <strong>{target}</strong>. What the update has
          changed so far is changed back; what it has made is removed. If it has already removed data, the
          service refuses, and says what is lost.
        </p>
        <AsCommand command={command} />
        {error && <ErrorCard error={error} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Let it run</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="danger"
          off={isPending ? 'Cancelling …' : undefined}
          onClick={() => mutate({})}
        >
          Go back to {target}
        </Act>
      </DialogActions>
    </Dialog>
  );
};
