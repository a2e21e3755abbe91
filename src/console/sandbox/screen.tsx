import { useSearchValues } from '../address/search.ts';
import { Columns } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import { FaultForm } from './fault-form.tsx';
import { InForce } from './in-force.tsx';

/** Faults of the simulated cloud: to see what a failure looks like before a real one happens. */
const Faults = () => {
  const [values] = useSearchValues();
  return (
    <Page
      title="Sandbox"
      about="Make the simulated cloud fail on purpose, and see how stacks, people and programs take it."
      mark={<Pill tone="none">simulated</Pill>}
    >
      <Columns>
        <FaultForm key={`${values['stack']} ${values['position']}`} />
        <InForce />
      </Columns>
    </Page>
  );
};

const Sandbox = () => (
  <MasterOnly title="Sandbox" to="set faults of the sandbox">
    <Faults />
  </MasterOnly>
);

export default Sandbox;
