import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { readDrift, startDriftCheck } from '../../contract/v3/cloud/drift.ts';
import { call } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Act } from '../parts/acts/button.tsx';
import { stackCommand } from '../parts/acts/command.ts';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { type Tone, whyNoUpdate } from '../parts/status/status.ts';
import { Pill } from '../parts/status/status-phase.tsx';
import { useVersions } from './data/of-stack.ts';
import type { StackNow } from './data/stack-now.ts';
import { Differences, Effects, type Found } from './drift/differences.tsx';
import { StackFrame } from './frame.tsx';
import { ApplyAgain } from './now/remedies.tsx';

const path = '/v3/alm/stack/{stack_id}/drift';

const states: Readonly<Record<string, readonly [tone: Tone, words: string]>> = {
  never_checked: ['none', 'Never checked'],
  checking: ['work', 'Checking'],
  in_sync: ['good', 'As the template says'],
  drifted: ['warn', 'Drifted'],
  failed: ['bad', 'The check failed'],
};

const PutBack = ({ stack, drift, onClose }: { stack: StackNow; drift: Found; onClose: () => void }) => (
  <ApplyAgain stack={stack} title="Put it back" onClose={onClose}>
    <p>The current version is applied again as a new one. The vendor is asked for:</p>
    <Effects drift={drift} />
    <p>A vendor that compares templates only may leave what was changed by hand. Check again afterwards.</p>
    <p>The preview of the template itself, which does not know what was changed by hand:</p>
  </ApplyAgain>
);

const PutBackButton = ({ stack: { id, status }, onClick }: { stack: StackNow; onClick: () => void }) => (
  <Act action="template:updateAlmTemplate" stackId={id} off={whyNoUpdate(status)} onClick={onClick}>
    Put it back
  </Act>
);

const about =
  'Drift is what differs between the resources and the template they were made from, such as after a change by hand.';

/** The vendor keeps the result of a check from before an update. */
function useOutdated(stack: StackNow, { checked_at }: Found): boolean {
  const current = useVersions(stack).find(({ version_id }) => version_id === stack.versionId);
  return (
    checked_at !== null && current !== undefined && Date.parse(current.last_modified) > Date.parse(checked_at)
  );
}

const countOf = ({ state, resources: { length } }: Found): string => {
  if (state === 'checking' || length === 0) return '';
  return length === 1 ? '1 resource differs' : `${length} resources differ`;
};

const Checked = ({ drift: { state, checked_at } }: { drift: Found }) =>
  checked_at ? (
    <span>
      {state === 'checking' ? 'last checked ' : 'checked '}
      <When at={checked_at} />
    </span>
  ) : null;

/** Screen readers read the result when a check has ended, without its age, whose words change each second. */
const State = ({ stack, drift }: { stack: StackNow; drift: Found }) => {
  const [tone, words] = states[drift.state] ?? ['none', drift.state];
  const isOutdated = useOutdated(stack, drift);
  return (
    <div>
      <Row>
        <span role="status">
          <Pill tone={tone}>{words}</Pill> {countOf(drift)} {drift.reason}
        </span>
        <Checked drift={drift} />
      </Row>
      {drift.state === 'never_checked' && <p>{about}</p>}
      {isOutdated && drift.state !== 'checking' && (
        <p>The stack was updated after this check. Check again to know how it is now.</p>
      )}
    </div>
  );
};

const Result = ({ stack, drift }: { stack: StackNow; drift: Found }) => {
  const [putsBack, setPutsBack] = useState(false);
  const params = { stack_id: stack.id };
  const check = useMutation({
    mutationFn: () => call<typeof startDriftCheck>('POST', path, { params }),
    onSettled: () => readAgain(path, params),
  });
  const isChecking = drift.state === 'checking' || check.isPending;
  return (
    <Stack>
      <Card>
        <Row spread>
          <State stack={stack} drift={drift} />
          <Row>
            {drift.state === 'drifted' && <PutBackButton stack={stack} onClick={() => setPutsBack(true)} />}
            <Act
              action="stack:describeStack"
              stackId={stack.id}
              look="main"
              off={isChecking ? 'A check is in progress.' : undefined}
              onClick={() => check.mutate()}
            >
              Check now
            </Act>
          </Row>
        </Row>
      </Card>
      <AsCommand command={stackCommand('drift', stack, '--check')} />
      {check.error && <ErrorCard error={check.error} />}
      <Differences drift={drift} />
      {putsBack && <PutBack stack={stack} drift={drift} onClose={() => setPutsBack(false)} />}
    </Stack>
  );
};

/** The service says so for vendors without drift checks. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof CallFailed && error.status === 400 && error.message.includes('drift');

const checkInterval = 5000;

const DriftOf = ({ stack }: { stack: StackNow }) => {
  const [checking, setChecking] = useState(false);
  const { data, error, refetch } = useRead<typeof readDrift>(
    path,
    { params: { stack_id: stack.id } },
    checking ? { refetchInterval: checkInterval } : {},
  );
  if (data && (data.state === 'checking') !== checking) setChecking(!checking);
  if (isUnsupported(error))
    return (
      <Card>
        <Empty title="No drift checks here">
          {about}{' '}
          {stack.isSandbox ? 'Nobody can change the sandbox by hand' : 'This vendor has no such check'};
          stacks on AWS, Alibaba Cloud and OpenStack have it.
        </Empty>
      </Card>
    );
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the last check" />;
  return <Result stack={stack} drift={data} />;
};

const Drift = () => <StackFrame>{(stack) => <DriftOf stack={stack} />}</StackFrame>;

export default Drift;
