import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { rollBack } from '../../../contract/v3/versions.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { Act, Button, LinkButton } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Tick } from '../../parts/forms/field.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Row, Stack } from '../../parts/page/card.tsx';
import { loadedLater } from '../../parts/page/loaded-later.ts';
import { lastCompleteVersion } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, readOfStackAgain, useVersions } from '../data/of-stack.ts';
import { useRequestKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';

const BringBack = loadedLater(async () => ({
  default: (await import('../../versions/bring-back.tsx')).BringBack,
}));

interface ApplyVersionProps {
  stack: StackNow;
  versionId: string;
  title: string;
  /** What it leads to. */
  children: React.ReactNode;
  onClose: () => void;
}

function useApply(stack: StackNow, versionId: string, onDone: () => void) {
  const key = useRequestKey();
  return useMutation({
    mutationFn: (keepsData: boolean) =>
      call<typeof rollBack>('POST', '/v3/alm/stack/{stack_id}/rollback', {
        params: { stack_id: stack.id },
        query: keepsData ? { data: 'keep' } : {},
        headers: { 'idempotency-key': keepsData ? `${key}-keep` : key },
        body: { version_id: versionId },
      }),
    onSuccess: () => {
      void readStackAgain(stack.id);
      readOfStackAgain(stack);
      onDone();
    },
  });
}

/** Applies a stored version again, after it has said what that does. */
export const ApplyVersion = ({ stack, versionId, title, children, onClose }: ApplyVersionProps) => {
  const [keepsData, setKeepsData] = useState(false);
  const { mutate, isPending, error } = useApply(stack, versionId, onClose);
  const command = `alm stack rollback ${stack.id} --ver ${versionId}${keepsData ? ' --keep-data' : ''}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <div>{children}</div>
        {error && (
          <>
            <ErrorCard error={error} />
            <Tick
              label="Go on if the data is kept, such as in a snapshot"
              checked={keepsData}
              onChange={(event) => setKeepsData(event.target.checked)}
            />
          </>
        )}
        <AsCommand command={command} />
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="main"
          off={isPending ? 'On its way …' : undefined}
          onClick={() => mutate(keepsData)}
        >
          {title}
        </Act>
      </DialogActions>
    </Dialog>
  );
};

type Opened = 'again' | 'back' | null;

interface QuestionProps {
  stack: StackNow;
  opened: Opened;
  /** The last complete version, if it is not the one that failed. */
  back: string | null;
  onClose: () => void;
}

/** What the chosen remedy leads to, before it is done. */
const Question = ({ stack, opened, back, onClose }: QuestionProps) => {
  const versions = useVersions(stack);
  const { id, versionId } = stack;
  if (opened === null || versionId === null) return null;
  if (opened === 'again')
    return (
      <ApplyVersion stack={stack} versionId={versionId} title="Try again" onClose={onClose}>
        The same version, {nameOfVersion(versions, versionId)}, is applied again. What is ready stays as it
        is. If the cause is still there, it fails again.
      </ApplyVersion>
    );
  const label = versions.find(({ version_id }) => version_id === back)?.label ?? '';
  return (
    back && (
      <BringBack stackId={id} current={versionId} version={{ version_id: back, label }} onClose={onClose} />
    )
  );
};

/** What can be done about a failure now. */
export const Remedies = ({ stack }: { stack: StackNow }) => {
  const [opened, setOpened] = useState<Opened>(null);
  const complete = lastCompleteVersion(useEvents(stack.id));
  const versions = useVersions(stack);
  const { id, versionId, status } = stack;
  const canApply = stack.api === 'v3' && versionId !== null && status !== 'DELETE_FAILED';
  const back = canApply && complete !== null && complete !== versionId ? complete : null;
  const backName = nameOfVersion(versions, back);
  return (
    <Row>
      {back && (
        <Act action="template:updateAlmTemplate" stackId={id} look="main" onClick={() => setOpened('back')}>
          Bring back {backName}
        </Act>
      )}
      {status !== 'DELETE_FAILED' && <LinkButton to={addressOf(pages.edit, { id })}>Edit</LinkButton>}
      {canApply && (
        <Act action="template:updateAlmTemplate" stackId={id} onClick={() => setOpened('again')}>
          Try again
        </Act>
      )}
      <LinkButton to={addressOf(pages.settings, { id })} look="danger">
        {status === 'DELETE_FAILED' ? 'Delete again' : 'Delete'}
      </LinkButton>
      <Question stack={stack} opened={opened} back={back} onClose={() => setOpened(null)} />
    </Row>
  );
};
