import { useSearchValues } from '../address/search.ts';
import { Card, Columns } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Pill } from '../parts/status-phase.tsx';
import { useSession } from '../session/session.ts';
import { FaultForm } from './fault-form.tsx';
import { InForce } from './in-force.tsx';

const NotMaster = () => (
  <Card>
    <p>
      Only the master of the account can inject faults. Ask it to do so, or to run{' '}
      <code>POST /v3/sandbox/fault</code>.
    </p>
  </Card>
);

/** Faults of the simulated cloud: to see what a failure looks like before a real one happens. */
const Sandbox = () => {
  const { data: session } = useSession();
  const [values] = useSearchValues();
  return (
    <Page
      title="Sandbox"
      about="Make the simulated cloud fail on purpose, and see how stacks, people and programs take it."
      mark={<Pill tone="none">simulated</Pill>}
    >
      {session?.user?.master ? (
        <Columns>
          <FaultForm key={`${values['stack']} ${values['position']}`} />
          <InForce />
        </Columns>
      ) : (
        <NotMaster />
      )}
    </Page>
  );
};

export default Sandbox;
