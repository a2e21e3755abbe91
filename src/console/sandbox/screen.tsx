import { useState } from 'react';
import { useSearchValues } from '../address/search.ts';
import { Card, Columns, Stack } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Pill } from '../parts/status-phase.tsx';
import { When } from '../parts/when.tsx';
import { useSession } from '../session/session.ts';
import type { Injected } from './fault.ts';
import { FaultForm } from './fault-form.tsx';
import styles from './screen.module.css';

const NotMaster = () => (
  <Card>
    <p>
      Only the master of the account can inject faults. Ask it to do so, or to run{' '}
      <code>POST /v3/sandbox/fault</code>.
    </p>
  </Card>
);

const Done = ({ injected }: { injected: readonly Injected[] }) => (
  <Card title="Injected on this page">
    {injected.length === 0 && (
      <p className={styles.none}>
        Nothing yet. The sandbox tells of a fault when it happens: in the events of its stack.
      </p>
    )}
    <ol className={styles.done}>
      {injected.map(({ at, stack, message }) => (
        <li key={at}>
          <span>
            {message} {stack && <code>{stack}</code>}
          </span>
          <When at={at} />
        </li>
      ))}
    </ol>
  </Card>
);

/** Faults of the simulated cloud: to see what a failure looks like before a real one happens. */
const Sandbox = () => {
  const { data: session } = useSession();
  const [injected, setInjected] = useState<readonly Injected[]>([]);
  const [values] = useSearchValues();
  return (
    <Page
      title="Sandbox"
      about="Make the simulated cloud fail on purpose, and see how stacks, people and programs take it."
      mark={<Pill tone="none">simulated</Pill>}
    >
      {session?.user?.master ? (
        <Columns>
          <FaultForm
            key={`${values['stack']} ${values['position']}`}
            onDone={(done) => setInjected([done, ...injected])}
          />
          <Stack>
            <Done injected={injected} />
          </Stack>
        </Columns>
      ) : (
        <NotMaster />
      )}
    </Page>
  );
};

export default Sandbox;
