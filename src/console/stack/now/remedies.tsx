import { useState } from 'react';
import { addressOf, pages } from '../../address/pages.ts';
import { Act, LinkButton } from '../../parts/acts/button.tsx';
import { Row } from '../../parts/page/card.tsx';
import { loadedLater } from '../../parts/page/loaded-later.ts';
import { lastCompleteVersion } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, useVersions } from '../data/of-stack.ts';
import { useRollouts } from '../data/rollouts.ts';
import type { StackNow } from '../data/stack-now.ts';
import { isBackInPlace } from '../rollouts/layers.ts';

const BringBack = loadedLater(async () => ({
  default: (await import('../../versions/bring-back.tsx')).BringBack,
}));

interface ApplyAgainProps {
  stack: StackNow;
  title: string;
  /** What it leads to, beside what the preview says. */
  children: React.ReactNode;
  onClose: () => void;
}

/** Applies the version in force again, after it has said what that does. */
export const ApplyAgain = ({ stack: { id, versionId }, title, children, onClose }: ApplyAgainProps) =>
  versionId && (
    <BringBack
      stackId={id}
      current={versionId}
      version={{ version_id: versionId, label: '' }}
      again={{ title, leadsTo: children }}
      onClose={onClose}
    />
  );

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
      <ApplyAgain stack={stack} title="Try again" onClose={onClose}>
        <p>
          The same version, {nameOfVersion(versions, versionId)}, is applied again. What is ready stays as it
          is. If the cause is still there, it fails again.
        </p>
      </ApplyAgain>
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
  // The service has gone back by itself: there is nothing to try again or to bring back.
  const isBack = isBackInPlace(useRollouts(stack), versionId);
  const back = canApply && !isBack && complete !== versionId ? complete : null;
  const backName = nameOfVersion(versions, back);
  return (
    <Row>
      {back && (
        <Act action="template:updateAlmTemplate" stackId={id} look="main" onClick={() => setOpened('back')}>
          Bring back {backName}
        </Act>
      )}
      {status !== 'DELETE_FAILED' && <LinkButton to={addressOf(pages.edit, { id })}>Edit</LinkButton>}
      {canApply && !isBack && (
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
