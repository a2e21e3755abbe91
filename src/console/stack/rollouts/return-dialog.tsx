import { useMutation } from '@tanstack/react-query';
import type { returnRollout } from '../../../contract/v3/rollouts.ts';
import { call } from '../../api/call.ts';
import { Planned } from '../../change/effect.tsx';
import { Asked } from '../../data/ask.tsx';
import { flagsOf, queryOf, questionOf, type Word } from '../../data/question.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { useEffectOfRollBack } from '../../versions/effect-of-roll-back.ts';
import { nameOfVersion, readOfStackAgain, useVersions } from '../data/of-stack.ts';
import { keyFor, useRequestKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';
import { whyNoEffect } from '../effect.ts';

interface ReturnProps {
  stack: StackNow;
  /** The version that fails: the request is refused if another one is current by then. */
  from: string;
  to: string;
  onClose: () => void;
}

function useReturn({ stack, from, onClose }: ReturnProps) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof returnRollout>('POST', '/v3/alm/stack/{stack_id}/rollouts/return', {
        params: { stack_id: stack.id },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)), 'if-match': from },
      }),
    onSuccess: () => {
      void readStackAgain(stack.id);
      readOfStackAgain(stack);
      announce('The return has begun');
      onClose();
    },
  });
}

type QuestionProps = ReturnProps & { back: ReturnType<typeof useReturn>; command: string };

/** Nothing is done before its effect is known. */
const Question = ({ stack, from, to, back, command, onClose }: QuestionProps) => {
  const name = nameOfVersion(useVersions(stack), to);
  const { data, error, refetch } = useEffectOfRollBack({ stackId: stack.id, current: from, versionId: to });
  const off = back.isPending ? 'The request is on its way.' : whyNoEffect({ data, error });
  return (
    <Dialog title={`Return to ${name}?`} wide onClose={onClose}>
      <Stack>
        <p>
          <strong>{stack.nickname}</strong> gets a new version, a copy of {name}, which was the last to be
          complete. The version that fails stays in the list.
        </p>
        {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading what="what would happen" />}
        {data && <Planned preview={data} />}
        {back.error && <ErrorCard error={back.error} />}
        <AsCommand command={command} />
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="main"
          off={off}
          onClick={() => back.mutate({})}
        >
          Return to {name}
        </Act>
      </DialogActions>
    </Dialog>
  );
};

/** Shows what going back to the last complete version does, and does it after a yes. */
export const ReturnDialog = (props: ReturnProps) => {
  const back = useReturn(props);
  const command = `alm rollout return --id ${props.stack.id}`;
  if (!questionOf(back.error)) return <Question {...props} back={back} command={command} />;
  return <Asked of={back} command={(word) => command + flagsOf(word)} onClose={props.onClose} />;
};
