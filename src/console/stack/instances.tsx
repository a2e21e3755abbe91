import { Card, Stack } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import type { StackNow } from './data/stack-now.ts';
import { StackFrame } from './frame.tsx';
import { Servers } from './instances/servers.tsx';
import { Caches, Containers, Databases } from './instances/services.tsx';

const InstancesOf = ({ stack }: { stack: StackNow }) => {
  const { instances } = stack;
  const flags = [...new Set(instances.map(({ flag = '' }) => flag))];
  return (
    <Stack>
      {instances.length === 0 && (
        <Card>
          <Empty title="No instances" command={`alm stack describe ${stack.id}`}>
            Servers of the stack appear here as soon as the vendor reports them.
          </Empty>
        </Card>
      )}
      {flags.map((flag) => (
        <Servers
          key={flag}
          stack={stack}
          flag={flag}
          instances={instances.filter((each) => (each.flag ?? '') === flag)}
        />
      ))}
      <Containers stack={stack} />
      <Databases stack={stack} />
      <Caches stack={stack} />
    </Stack>
  );
};

const Instances = () => <StackFrame>{(stack) => <InstancesOf stack={stack} />}</StackFrame>;

export default Instances;
