import { DataOfStack } from '../data/of-stack.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { isGone } from './data/stack-now.ts';
import { StackFrame } from './frame.tsx';
import { DeleteCard } from './settings/delete-card.tsx';
import { HostKeyCard, KeyCard } from './settings/keys-card.tsx';

const Settings = () => (
  <StackFrame hasFields>
    {(stack) =>
      isGone(stack) ? (
        <Stack>
          <Card>This stack was deleted. There is nothing left to set.</Card>
          <DataOfStack stack={stack} />
        </Stack>
      ) : (
        <Stack>
          <KeyCard stack={stack} />
          <HostKeyCard stack={stack} />
          <DeleteCard stack={stack} />
        </Stack>
      )
    }
  </StackFrame>
);

export default Settings;
