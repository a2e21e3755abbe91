import { Table } from '../../lists/table.tsx';
import { Act } from '../../parts/acts/button.tsx';
import { Copy } from '../../parts/acts/copy.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card, Row } from '../../parts/page/card.tsx';
import { When } from '../../parts/reading/when.tsx';
import type { Tone } from '../../parts/status/status.ts';
import { Pill } from '../../parts/status/status-phase.tsx';
import type { Instance, StackNow } from '../data/stack-now.ts';
import { useTerminal } from './terminal.ts';

const toneOf = (state: string): Tone => {
  if (state === 'running') return 'good';
  return state === 'pending' || state === 'stopping' || state === 'shutting-down' ? 'work' : 'none';
};

const StatePill = ({ state }: { state: string }) => <Pill tone={toneOf(state)}>{state}</Pill>;

const Address = ({ text, what }: { text: string; what: string }) =>
  text === '' ? (
    <>–</>
  ) : (
    <Row>
      <code>{text}</code>
      <Copy text={text} what={what} />
    </Row>
  );

const NoTerminal = ({ error, onClose }: { error: unknown; onClose: () => void }) =>
  error ? (
    <Dialog title="No terminal was opened" onClose={onClose}>
      <ErrorCard error={error} />
    </Dialog>
  ) : null;

/** What was opened for which instance. */
export interface OpenedAct {
  act: 'script' | 'restart';
  instance: Instance;
}

interface ServerActionsProps {
  stack: StackNow;
  instance: Instance;
  onOpen: (opened: OpenedAct) => void;
}

const ServerActions = ({ stack, instance, onOpen }: ServerActionsProps) => {
  const terminal = useTerminal();
  const { InstanceId: instanceId } = instance;
  const off = instance.State.Name === 'running' ? undefined : 'The instance is not running.';
  const access = { action: 'stack:describePem', stackId: stack.id, small: true, off };
  return (
    <Row>
      <Act
        {...access}
        aria-label={`Terminal of ${instanceId}`}
        onClick={() => terminal.mutate({ stackId: stack.id, instanceId })}
      >
        Terminal
      </Act>
      <Act
        {...access}
        aria-label={`Run a script on ${instanceId}`}
        onClick={() => onOpen({ act: 'script', instance })}
      >
        Run a script
      </Act>
      {stack.api === 'v2' && (
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          small
          off={off}
          aria-label={`Restart ${instanceId}`}
          onClick={() => onOpen({ act: 'restart', instance })}
        >
          Restart
        </Act>
      )}
      <NoTerminal error={terminal.error} onClose={terminal.reset} />
    </Row>
  );
};

interface Props {
  stack: StackNow;
  flag: string;
  instances: readonly Instance[];
  onOpen: (opened: OpenedAct) => void;
}

/** The servers of one layer. */
export const Servers = ({ stack, flag, instances, onOpen }: Props) => (
  <Card
    title={flag ? `Layer ${flag}` : 'Servers'}
    aside={instances.length === 1 ? '1 instance' : `${instances.length} instances`}
    flush
  >
    <Table
      label={`Instances of ${flag || 'the stack'}`}
      rows={instances}
      keyOf={({ InstanceId }) => InstanceId}
      columns={[
        {
          title: 'Instance',
          cell: ({ InstanceId, InstanceLifecycle }) => (
            <Row>
              <code>{InstanceId}</code>
              {InstanceLifecycle === 'spot' && <Pill tone="none">spot</Pill>}
            </Row>
          ),
        },
        { title: 'State', cell: ({ State }) => <StatePill state={State.Name} /> },
        { title: 'Type', cell: ({ InstanceType }) => InstanceType },
        {
          title: 'Private',
          cell: ({ PrivateIpAddress: text }) => <Address text={text} what="private address" />,
        },
        {
          title: 'Public',
          cell: ({ PublicIpAddress: text }) => <Address text={text} what="public address" />,
        },
        { title: 'Started', cell: ({ LaunchTime }) => <When at={LaunchTime} /> },
        {
          title: 'Actions',
          end: true,
          cell: (instance) => <ServerActions stack={stack} instance={instance} onOpen={onOpen} />,
        },
      ]}
    />
  </Card>
);
