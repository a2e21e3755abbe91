import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { readDrift, startDriftCheck } from '../../contract/v3/cloud/drift.ts';
import { call } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Act } from '../parts/acts/button.tsx';
import { curlCommand } from '../parts/acts/command.ts';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { type Tone, whyNoUpdate } from '../parts/status/status.ts';
import { Pill } from '../parts/status/status-phase.tsx';
import type { StackNow } from './data/stack-now.ts';
import styles from './drift.module.css';
import { StackFrame } from './frame.tsx';
import { ApplyVersion } from './now/remedies.tsx';

type Found = SuccessOf<typeof readDrift>;

const path = '/v3/alm/stack/{stack_id}/drift';

const states: Readonly<Record<string, readonly [tone: Tone, words: string]>> = {
  never_checked: ['none', 'Never checked'],
  checking: ['work', 'Checking'],
  in_sync: ['good', 'As the template says'],
  drifted: ['warn', 'Drifted'],
  failed: ['bad', 'The check failed'],
};

const PutBack = ({ stack, drift, onClose }: { stack: StackNow; drift: Found; onClose: () => void }) => (
  <ApplyVersion stack={stack} versionId={stack.versionId ?? ''} title="Put it back" onClose={onClose}>
    <p>The current version is applied again as a new one. The vendor is asked for:</p>
    <ul className={styles.effects}>
      {drift.resources.flatMap(({ resource, kind, members }) =>
        kind === 'deleted'
          ? [<li key={resource}>{resource}: made again</li>]
          : members.map((member) => (
              <li key={resource + member.path}>
                {resource} <code>{member.path}</code>: <del>{member.actual}</del> →{' '}
                <ins>{member.expected}</ins>
              </li>
            )),
      )}
    </ul>
    <p>A vendor that compares templates only may leave what was changed by hand. Check again afterwards.</p>
  </ApplyVersion>
);

const PutBackButton = ({ stack: { id, status }, onClick }: { stack: StackNow; onClick: () => void }) => (
  <Act action="template:updateAlmTemplate" stackId={id} off={whyNoUpdate(status)} onClick={onClick}>
    Put it back
  </Act>
);

const Differences = ({ drift }: { drift: Found }) =>
  drift.resources.map(({ resource, resource_type, kind, members }) => (
    <Card
      key={resource}
      title={resource}
      aside={
        <Row>
          {resource_type} <Pill tone="warn">{kind === 'deleted' ? 'Deleted' : 'Changed'}</Pill>
        </Row>
      }
      flush={kind === 'changed'}
    >
      {kind === 'deleted' ? (
        <p>The resource no longer exists at the vendor.</p>
      ) : (
        <Table
          label={`Differences of ${resource}`}
          rows={members}
          keyOf={(member) => member.path}
          columns={[
            { title: 'Member', cell: (member) => <code>{member.path}</code> },
            { title: 'Expected', cell: (member) => <code>{member.expected}</code> },
            { title: 'Actual', cell: (member) => <code>{member.actual}</code> },
          ]}
        />
      )}
    </Card>
  ));

const State = ({ drift }: { drift: Found }) => {
  const [tone, words] = states[drift.state] ?? ['none', drift.state];
  return (
    <Row>
      <Pill tone={tone}>{words}</Pill>
      <span>{drift.checked_at ? <When at={drift.checked_at} /> : ''}</span>
      <span>{drift.reason}</span>
    </Row>
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
          <State drift={drift} />
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
      <AsCommand command={curlCommand('POST', `/v3/alm/stack/${stack.id}/drift`)} />
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
          Drift is what differs between the resources and the template they were made from, such as after a
          change by hand.{' '}
          {stack.isSandbox ? 'Nobody can change the sandbox by hand' : 'This vendor has no such check'};
          stacks on AWS have it.
        </Empty>
      </Card>
    );
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the last check" />;
  return <Result stack={stack} drift={data} />;
};

const Drift = () => <StackFrame>{(stack) => <DriftOf stack={stack} />}</StackFrame>;

export default Drift;
