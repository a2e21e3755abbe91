import { useState } from 'react';
import { stackCommand } from '../parts/acts/command.ts';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import type { StackNow } from './data/stack-now.ts';
import { StackFrame } from './frame.tsx';
import { Logs } from './instances/logs.tsx';
import { Restart } from './instances/restart.tsx';
import { RunScript } from './instances/run-script.tsx';
import { type OpenedAct, Servers } from './instances/servers.tsx';
import { Caches, Containers, Databases } from './instances/services.tsx';

const InstancesOf = ({ stack }: { stack: StackNow }) => {
  const { instances } = stack;
  // Above the rows: an instance may be replaced while a script is typed or its result is read.
  const [opened, setOpened] = useState<OpenedAct | null>(null);
  const close = (): void => setOpened(null);
  const flags = [...new Set(instances.map(({ flag = '' }) => flag))];
  return (
    <Stack>
      {instances.length === 0 && (
        <Card>
          <Empty title="No instances" command={stackCommand('describe', stack)}>
            Servers of the stack appear here as soon as the vendor reports them.
          </Empty>
        </Card>
      )}
      {flags.map((flag) => (
        <Servers
          key={flag}
          stack={stack}
          flag={flag}
          onOpen={setOpened}
          instances={instances.filter((each) => (each.flag ?? '') === flag)}
        />
      ))}
      <Logs stack={stack} />
      <Containers stack={stack} />
      <Databases stack={stack} />
      <Caches stack={stack} />
      {opened?.act === 'script' && <RunScript stack={stack} instance={opened.instance} onClose={close} />}
      {opened?.act === 'restart' && <Restart stack={stack} instance={opened.instance} onClose={close} />}
    </Stack>
  );
};

const Instances = () => <StackFrame hasFields>{(stack) => <InstancesOf stack={stack} />}</StackFrame>;

export default Instances;
