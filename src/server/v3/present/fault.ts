import type { Static } from 'typebox';
import { utcTime } from '../../../basics/clock.ts';
import type { faultInForce } from '../../../contract/v3/sandbox.ts';
import type { listFaults } from '../../../operations/stacks/change/inject-fault.ts';

type FaultInForce = Awaited<ReturnType<typeof listFaults>>[number];

export function presentFault(fault: FaultInForce): Static<typeof faultInForce> {
  const common = { kind: fault.kind, stack_id: fault.stackId };
  switch (fault.kind) {
    case 'fail_resource':
      return { ...common, position: fault.position, reason: fault.reason };
    case 'unreachable':
      return { ...common, until: utcTime(fault.until) };
    case 'share_resource':
      return { ...common, resource: fault.resource, with_stack: fault.withStack };
    case 'fail_app':
      return { ...common, mode: fault.mode, image: fault.image };
  }
}
