import { versionParameter } from '../document.ts';
import { observing } from '../errors.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import type { StackDetails } from './stack-details.ts';
import { phaseOf } from './stack-phase.ts';
import { stateKey } from './versions.ts';

interface StackAnswer {
  Parameters?: readonly { ParameterKey?: string; ParameterValue?: string }[];
  Outputs?: readonly { OutputKey?: string; OutputValue?: unknown; Description?: string }[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** An output without a value has not been computed: its resource is not ready, or failed. */
const outputsIn = ({ Outputs = [] }: StackAnswer): StackDetails['outputs'] =>
  new Map(
    Outputs.filter(({ OutputValue: value }) => value !== null && value !== undefined && value !== '').map(
      ({ OutputKey = '', OutputValue, Description = '' }) => [
        OutputKey,
        { value: textOf(OutputValue), description: Description },
      ],
    ),
  );

/** Reads each state of a stack once. While a known stack changes, its last outputs are shown. */
export async function readDetails(region: Region, stack: CloudStack): Promise<StackDetails> {
  const known = region.details.get(stack.stackId);
  const state = stateKey(stack);
  const isChanging = phaseOf(stack.status).kind === 'busy';
  if (known?.rosId === stack.rosId && (known.state === state || isChanging)) return known;
  const answer = await observing(() =>
    region.clients.call<StackAnswer>({
      service: 'ros',
      action: 'GetStack',
      query: { StackId: stack.rosId },
    }),
  );
  const parameter = answer.Parameters?.find(({ ParameterKey }) => ParameterKey === versionParameter);
  const details = {
    rosId: stack.rosId,
    state,
    outputs: outputsIn(answer),
    rawVersion: parameter?.ParameterValue ?? '',
  };
  region.details.set(stack.stackId, details);
  return details;
}
