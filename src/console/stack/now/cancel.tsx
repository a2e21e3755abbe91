import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { cancelUpdate } from '../../../contract/v3/versions.ts';
import { call } from '../../api/call.ts';
import { now, useNow } from '../../clock.ts';
import { Asked } from '../../data/ask.tsx';
import { flagsOf, queryOf, questionOf, type Word } from '../../data/question.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { loadedLater } from '../../parts/page/loaded-later.ts';
import { span } from '../../parts/reading/time-words.ts';
import { completeBefore } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, readOfStackAgain, useVersions } from '../data/of-stack.ts';
import { keyFor, useRequestKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';

const BringBack = loadedLater(async () => ({
  default: (await import('../../versions/bring-back.tsx')).BringBack,
}));

interface CancelProps {
  stack: StackNow;
  onClose: () => void;
}

/** What the dialog was opened for. Later events must not aim its button at something else. */
interface Aim {
  /** The version that the update leads to. */
  updating: string;
  /** The version that the stack goes back to; null: the events are not known. */
  back: string | null;
}

const useAim = ({ id, versionId }: StackNow): Aim => {
  const [updating] = useState(versionId ?? '');
  // Its events may arrive after the dialog was opened.
  return { updating, back: completeBefore(useEvents(id), updating) };
};

function useCancel(stack: StackNow, aim: Aim, onDone: () => void) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof cancelUpdate>('POST', '/v3/alm/stack/{stack_id}/cancel', {
        params: { stack_id: stack.id },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)), 'if-match': aim.updating },
      }),
    onSuccess: () => {
      void readStackAgain(stack.id);
      readOfStackAgain(stack);
      onDone();
    },
  });
}

const hasEnded = ({ status, versionId }: StackNow, { updating }: Aim): boolean =>
  status !== 'UPDATE_IN_PROGRESS' || versionId !== updating;

const canGoBack = ({ status, versionId }: StackNow, { updating, back }: Aim): boolean =>
  back !== null && versionId === updating && !status.startsWith('DELETE_');

/** How the update ended, and what comes now. */
function wordsOf(stack: StackNow, aim: Aim): [end: string, next: string] {
  const { status, versionId, doing } = stack;
  if (status.startsWith('DELETE_')) return ['It ended', 'The stack is being deleted.'];
  if (versionId === aim.updating)
    return [
      status === 'UPDATE_FAILED' ? 'It failed' : 'It finished',
      canGoBack(stack, aim) ? 'Roll back instead?' : '',
    ];
  return doing === 'returning'
    ? ['It was given up', 'The stack is going back.']
    : ['Another version took its place', ''];
}

interface EndedProps extends CancelProps {
  aim: Aim;
  target: string;
}

/** There is nothing to cancel any more. */
const Ended = ({ stack, aim, target, onClose }: EndedProps) => {
  // When this page learned of it: the clock of the server may differ.
  const [at] = useState(now);
  const passed = Math.max(0, useNow() - at);
  const [isAsked, setAsked] = useState(false);
  const versions = useVersions(stack);
  const { updating, back } = aim;
  if (isAsked && back) {
    const label = versions.find(({ version_id }) => version_id === back)?.label ?? '';
    return (
      <BringBack
        stackId={stack.id}
        current={updating}
        version={{ version_id: back, label }}
        onClose={onClose}
      />
    );
  }
  const hasWay = canGoBack(stack, aim);
  const [end, next] = wordsOf(stack, aim);
  return (
    <Dialog title="The update is over" onClose={onClose}>
      <p>
        {end} {span(passed)} ago. {next}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{hasWay ? 'Leave it' : 'Close'}</Button>
        {hasWay && (
          <Act action="template:updateAlmTemplate" stackId={stack.id} onClick={() => setAsked(true)}>
            Roll back to {target} …
          </Act>
        )}
      </DialogActions>
    </Dialog>
  );
};

interface QuestionProps extends CancelProps {
  target: string;
  command: string;
  cancel: ReturnType<typeof useCancel>;
}

const Question = ({ stack, target, command, cancel, onClose }: QuestionProps) => (
  <Dialog title="Cancel the update?" onClose={onClose}>
    <Stack>
      <p>
        <strong>{stack.nickname}</strong> goes back to <strong>{target}</strong>. What the update has changed
        so far is changed back; what it has made is removed. If it has already removed data, the service
        refuses, and says what is lost.
      </p>
      <AsCommand command={command} />
      {cancel.error && <ErrorCard error={cancel.error} />}
    </Stack>
    <DialogActions>
      <Button onClick={onClose}>Let it run</Button>
      <Act
        action="template:updateAlmTemplate"
        stackId={stack.id}
        look="danger"
        off={cancel.isPending ? 'Cancelling …' : undefined}
        onClick={() => cancel.mutate({})}
      >
        Go back to {target}
      </Act>
    </DialogActions>
  </Dialog>
);

/** Says what cancelling leads to, then cancels. */
export const CancelDialog = ({ stack, onClose }: CancelProps) => {
  const aim = useAim(stack);
  const versions = useVersions(stack);
  const target = aim.back ? nameOfVersion(versions, aim.back) : 'its last complete version';
  const cancel = useCancel(stack, aim, () => {
    announce(`Going back to ${target}`);
    onClose();
  });
  const command = `alm stack cancel ${stack.id}`;
  // While the request is on its way, its answer says what became of it.
  if (hasEnded(stack, aim) && !cancel.isPending)
    return <Ended stack={stack} aim={aim} target={target} onClose={onClose} />;
  if (questionOf(cancel.error))
    return <Asked of={cancel} command={(word) => command + flagsOf(word)} onClose={onClose} />;
  return <Question stack={stack} target={target} command={command} cancel={cancel} onClose={onClose} />;
};
