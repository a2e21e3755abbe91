import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { rollBack } from '../../contract/v3/versions.ts';
import { addressOf, pages } from '../address/pages.ts';
import { call } from '../api/call.ts';
import { Planned } from '../change/effect.tsx';
import { Asked } from '../data/ask.tsx';
import { flagsOf, queryOf, questionOf, type Word } from '../data/question.ts';
import { newDraftKey } from '../editor/draft.ts';
import { Act, Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import { Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { keyFor } from '../stack/data/request-key.ts';
import { readStackAgain } from '../stack/data/stack-now.ts';
import { whyNoEffect } from '../stack/effect.ts';
import { reloadStackList } from '../stacks/stack-list.ts';
import { useEffectOfRollBack } from './effect-of-roll-back.ts';

interface BringBackProps {
  stackId: string;
  /** The version in force: the request fails if another one is by then. */
  current: string;
  version: { version_id: string; label: string };
  /** For the version in force, which is applied again: what that is called, and what it leads to. */
  again?: { title: string; leadsTo: ReactNode };
  onClose: () => void;
}

function useBringBack({ stackId, current, version, onClose }: BringBackProps) {
  const [, navigate] = useLocation();
  const [key] = useState(newDraftKey);
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof rollBack>('POST', '/v3/alm/stack/{stack_id}/rollback', {
        params: { stack_id: stackId },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)), 'if-match': current },
        body: { version_id: version.version_id },
      }),
    onSuccess: () => {
      void reloadStackList();
      void readStackAgain(stackId);
      announce('The update has started');
      onClose();
      navigate(addressOf(pages.stack, { id: stackId }));
    },
  });
}

type EffectProps = BringBackProps & { back: ReturnType<typeof useBringBack>; command: string };

/** Nothing is done before its effect is known. */
const Effect = ({ stackId, current, version, again, back, command, onClose }: EffectProps) => {
  const { version_id: versionId } = version;
  const { data, error, refetch } = useEffectOfRollBack({ stackId, current, versionId });
  const off = back.isPending ? 'The request is on its way.' : whyNoEffect({ data, error });
  return (
    <Dialog title={again?.title ?? `Bring back “${version.label || versionId}”?`} wide onClose={onClose}>
      {again?.leadsTo ?? (
        <p>
          It becomes a new version, a copy of this one with its secrets. Versions in between stay in the list.
        </p>
      )}
      {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="what would happen" />}
      {data && <Planned preview={data} />}
      {back.error && <ErrorCard error={back.error} />}
      <AsCommand command={command} />
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stackId}
          look="main"
          off={off}
          onClick={() => back.mutate({})}
        >
          {again?.title ?? 'Bring it back'}
        </Act>
      </DialogActions>
    </Dialog>
  );
};

/** Shows what bringing back an earlier version, or applying the current one again, does, and does it after a yes. */
export const BringBack = (props: BringBackProps) => {
  const back = useBringBack(props);
  const command = `alm stack rollback ${props.stackId} --ver ${props.version.version_id}`;
  if (!questionOf(back.error)) return <Effect {...props} back={back} command={`${command} --wait`} />;
  return <Asked of={back} command={(word) => `${command}${flagsOf(word)} --wait`} onClose={props.onClose} />;
};
