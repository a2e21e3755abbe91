import { useState } from 'react';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { useRead } from '../api/read.ts';
import { useSummary } from '../change/stack-summary.ts';
import { Act, Button, LinkButton } from '../parts/acts/button.tsx';
import { AsCommand, Copy } from '../parts/acts/copy.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { NoData } from '../parts/reading/answer.tsx';
import { whyNoUpdate } from '../parts/status/status.ts';
import { useRollouts } from '../stack/data/rollouts.ts';
import { StackFrame } from '../stack/frame.tsx';
import { isBackInPlace } from '../stack/rollouts/layers.ts';
import { reloadStackList } from '../stacks/stack-list.ts';
import { BringBack } from './bring-back.tsx';
import { useCompared } from './compare-query.ts';
import { AsText, ByPath } from './differences.tsx';
import { type Version, VersionList } from './version-list.tsx';
import styles from './versions.module.css';

interface Picked {
  from: Version;
  to: Version;
}

/** The two versions of the address; by default the one before, and the one in force. */
function pick(
  versions: readonly Version[],
  current: string,
  wanted: Readonly<Record<string, string>>,
): Picked | null {
  const byId = (id: string | undefined): Version | undefined =>
    versions.find(({ version_id }) => version_id === id);
  const to = byId(wanted['to']) ?? byId(current) ?? versions[0];
  if (!to) return null;
  const from = byId(wanted['from']) ?? versions[versions.indexOf(to) + 1] ?? to;
  return { from, to };
}

/** With the beginning of the id, if the other side has the same label. */
const nameOf = ({ label, version_id }: Version, other: Version): string => {
  if (!label) return version_id;
  const isTwin = label === other.label && version_id !== other.version_id;
  return isTwin ? `${label} ${version_id.slice(0, 8)}` : label;
};

interface DetailProps {
  stack: StackSummary;
  picked: Picked;
  onSwap: () => void;
}

interface ButtonsProps {
  stack: StackSummary;
  older: Version;
  name: string;
  onSwap: () => void;
}

const Buttons = ({ stack, older, name, onSwap }: ButtonsProps) => {
  const [isAsked, setAsked] = useState(false);
  const id = stack.stack_id;
  const current = stack.version.version_id;
  const off =
    whyNoUpdate(stack.stack_status) ??
    (older.version_id === current ? 'This version is in force.' : undefined);
  const action = 'template:updateAlmTemplate';
  return (
    <Row>
      <Button small onClick={onSwap}>
        Swap
      </Button>
      <Copy text={location.href} what="link" label="Copy link" />
      <Act small look="main" action={action} stackId={id} off={off} onClick={() => setAsked(true)}>
        Bring back “{name}” …
      </Act>
      {isAsked && (
        <BringBack stackId={id} current={current} version={older} onClose={() => setAsked(false)} />
      )}
    </Row>
  );
};

const Detail = ({ stack, picked: { from, to }, onSwap }: DetailProps) => {
  const id = stack.stack_id;
  const sides = [from, to].map((each) => ({ stackId: id, version: each.version_id }));
  const { data, error, refetch } = useCompared(sides[0] ?? null, sides[1] ?? null);
  const older = to.version_id === stack.version.version_id ? from : to;
  const title = `From “${nameOf(from, to)}” to “${nameOf(to, from)}”`;
  const name = older === to ? nameOf(to, from) : nameOf(from, to);
  const command = `alm template compare --src-sid ${id} --src-vid ${from.version_id} --tgt-vid ${to.version_id}`;
  return (
    <Stack>
      <Card flush title={title} aside={<Buttons stack={stack} older={older} name={name} onSwap={onSwap} />}>
        {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
        {data ? <ByPath compared={data} /> : !error && <Loading what="the difference" />}
      </Card>
      {data && <AsText compared={data} />}
      <AsCommand command={command} />
    </Stack>
  );
};

const Loaded = ({ stack }: { stack: StackSummary }) => {
  const { stack_id: id, stack_status: status, health, version } = stack;
  const rollouts = useRollouts({ id, status, health });
  const [wanted, change] = useSearchValues();
  const { data, error, refetch } = useRead<typeof listVersions>(
    '/v3/alm/template',
    { query: { stack_id: id } },
    { staleTime: 0 },
  );
  if (error && !data) return <NoData error={error} what="the versions" onRetry={() => void refetch()} />;
  const picked = data && pick(data, version.version_id, wanted);
  if (!data || !picked) return <Loading what="the versions" />;
  const { from, to } = picked;
  return (
    <div className={styles.columns}>
      <VersionList
        stackId={id}
        status={status}
        isBack={isBackInPlace(rollouts, version.version_id)}
        versions={data}
        current={version.version_id}
        from={from.version_id}
        to={to.version_id}
        onPick={(side, versionId) => change({ from: from.version_id, to: to.version_id, [side]: versionId })}
      />
      <Detail
        stack={stack}
        picked={picked}
        onSwap={() => change({ from: to.version_id, to: from.version_id })}
      />
    </div>
  );
};

const VersionsOf = ({ id }: { id: string }) => {
  const { stack, isPending, error } = useSummary(id);
  if (error && !stack)
    return <NoData error={error} what="the versions" onRetry={() => void reloadStackList()} />;
  if (isPending) return <Loading what="the versions" />;
  if (!stack || stack.interface === 'v2')
    return (
      <Empty title="There are no versions here">Stacks of API v2 keep only their current parameters.</Empty>
    );
  return (
    <Stack>
      <Row>
        <LinkButton small to={addressOf(pages.compare, null, { a: id })}>
          Compare with another stack
        </LinkButton>
      </Row>
      <Loaded stack={stack} />
    </Stack>
  );
};

const Versions = () => <StackFrame>{(stack) => <VersionsOf id={stack.id} />}</StackFrame>;

export default Versions;
