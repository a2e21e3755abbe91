import { useState } from 'react';
import { Act } from '../../parts/acts/button.tsx';
import { Card, Row } from '../../parts/page/card.tsx';
import { When } from '../../parts/reading/when.tsx';
import { Pill } from '../../parts/status/status-phase.tsx';
import { lastCompleteVersion } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, useVersions, type Version } from '../data/of-stack.ts';
import type { Rollout, RolloutInstance } from '../data/rollouts.ts';
import { isInProgress, type StackNow } from '../data/stack-now.ts';
import { countWords, instanceWords, type LayerNow, layersNow } from './layers.ts';
import { ReturnDialog } from './return-dialog.tsx';
import styles from './strip.module.css';

const LastLines = ({ of, lines }: { of: string; lines: string }) =>
  lines && (
    <details className={styles.lines}>
      <summary>Last lines of {of}</summary>
      <pre tabIndex={0} role="region" aria-label={`Last lines of ${of}`}>
        {lines}
      </pre>
    </details>
  );

const InstanceLine = ({ instance, revision }: { instance: RolloutInstance; revision: number }) => {
  const { instance_id: id, address, since, reason, last_lines: lines } = instance;
  return (
    <li>
      <code>{id}</code> {address && <span className={styles.dim}>{address} </span>}
      {instanceWords(instance, revision)}
      {reason && `: ${reason}`}
      {since && (
        <span className={styles.dim}>
          {' '}
          · <When at={since} />
        </span>
      )}
      <LastLines of={id} lines={lines} />
    </li>
  );
};

interface Named {
  layer: LayerNow;
  versions: readonly Version[];
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The version before keeps serving while its copy rolls out, so it has been returned either way. */
const Returned = ({ of, versions }: { of: Rollout; versions: readonly Version[] }) => (
  <div className={styles.returned}>
    <p>
      <strong>{upper(nameOfVersion(versions, of.version_id))} failed and was returned</strong>
      {' · '}
      <code>{of.image || 'code'}</code> · <When at={of.ended_at ?? of.began_at} /> · {of.reason}
    </p>
    <LastLines of={of.image || 'its container'} lines={of.last_lines} />
  </div>
);

/** What the time of a rollout is about. */
const times: Readonly<Partial<Record<Rollout['state'], string>>> = {
  rolling: 'began',
  serving: 'rolled out',
  failing: 'failed',
};

const Layer = ({ layer, versions }: Named) => {
  const { rollout, reading, others, returned } = layer;
  const { flag, image, revision, state, began_at, ended_at, reason, last_lines } = rollout;
  // Otherwise the line of the instance has the reason.
  const isOwn = reason !== '' && !others.some((each) => each.reason && reason.includes(each.reason));
  return (
    <li className={styles.layer}>
      <Row>
        <strong>{flag}</strong>
        <code>{image || 'code'}</code>
        <Pill tone={reading.tone}>{reading.word}</Pill>
        <span>{countWords(layer)}</span>
        <span className={styles.dim}>
          {times[state]} <When at={ended_at ?? began_at} />
        </span>
      </Row>
      {isOwn && <p className={styles.reason}>{reason}</p>}
      {isOwn && <LastLines of={image} lines={last_lines} />}
      {others.length > 0 && (
        <ul className={styles.instances}>
          {others.map((instance) => (
            <InstanceLine key={instance.instance_id} instance={instance} revision={revision} />
          ))}
        </ul>
      )}
      {returned && <Returned of={returned} versions={versions} />}
    </li>
  );
};

/** The version to go back to while the current one fails; null: there is none. */
function useWayBack(stack: StackNow, layers: readonly LayerNow[]): string | null {
  const complete = lastCompleteVersion(useEvents(stack.id));
  const fails = layers.some(({ rollout }) => rollout.state === 'failing');
  const may = fails && stack.api === 'v3' && !isInProgress(stack);
  return may && complete !== stack.versionId ? complete : null;
}

const ReturnButton = ({ stack, to }: { stack: StackNow; to: string }) => {
  // What was read before the button was pressed, not what came since.
  const [target, setTarget] = useState<{ from: string; to: string } | null>(null);
  const open = (): void => setTarget({ from: stack.versionId ?? '', to });
  return (
    <>
      <Act action="template:updateAlmTemplate" stackId={stack.id} small onClick={open}>
        Return …
      </Act>
      {target && <ReturnDialog stack={stack} {...target} onClose={() => setTarget(null)} />}
    </>
  );
};

/** How the containers of each layer get to its instances, and which of them do not serve. */
const RolloutStrip = ({ stack, rollouts }: { stack: StackNow; rollouts: readonly Rollout[] }) => {
  const layers = layersNow(rollouts);
  const versions = useVersions(stack);
  const back = useWayBack(stack, layers);
  if (layers.length === 0) return null;
  return (
    <Card title="Application" aside={back && <ReturnButton stack={stack} to={back} />}>
      <ul className={styles.layers}>
        {layers.map((layer) => (
          <Layer key={layer.rollout.flag} layer={layer} versions={versions} />
        ))}
      </ul>
    </Card>
  );
};

export default RolloutStrip;
