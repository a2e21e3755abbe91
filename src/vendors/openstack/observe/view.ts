import { emptyView, type Output, type StackView } from '../../vendor.ts';
import { ifThere, observing } from '../errors.ts';
import type { Region } from '../region.ts';
import { databasesOf } from './list-databases.ts';
import { noServers } from './list-servers.ts';
import type { HeatStack } from './list-stacks.ts';
import { readOwnStores } from './own-stores.ts';
import { pathOf } from './stack-path.ts';
import { phaseOf } from './stack-phase.ts';
import { stateKey } from './state-key.ts';
import { readStores } from './stores.ts';

interface OutputRow {
  output_key: string;
  output_value?: unknown;
  description?: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** An output without a value has not been computed: its resource is not ready, or failed. */
const outputsIn = (rows: readonly OutputRow[]): Output[] =>
  rows
    .filter(({ output_value: value }) => value !== null && value !== undefined)
    .map(({ output_key: key, output_value: value, description = '' }) => ({
      key,
      value: textOf(value),
      description,
    }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** Heat asks every service to compute outputs, so they are read once, when the stack is at rest. */
async function readOutputs(region: Region, stack: HeatStack): Promise<readonly Output[]> {
  const known = region.outputs.get(stack.stackId);
  const state = stateKey(stack);
  if (known && (known.state === state || phaseOf(stack.status).kind === 'busy')) return known.outputs;
  // A new stack has none, and a deletion removes what they are computed from.
  if (stack.status === 'CREATE_IN_PROGRESS' || phaseOf(stack.status).doing === 'remove') return [];
  const found = await observing(() =>
    ifThere(() =>
      region.client.read<{ stack: { outputs?: readonly OutputRow[] } }>({
        service: 'orchestration',
        path: pathOf(stack),
      }),
    ),
  );
  const outputs = outputsIn(found?.stack.outputs ?? []);
  region.outputs.set(stack.stackId, { state, outputs });
  return outputs;
}

/** Reads the current resources. */
export async function readView(region: Region, stack: HeatStack, maxAgeMs: number): Promise<StackView> {
  const { stackId } = stack;
  const [outputs, servers, databases, stores, ownStores] = await Promise.all([
    readOutputs(region, stack),
    region.servers.get(maxAgeMs),
    region.databases.get(maxAgeMs),
    readStores(region, stackId, maxAgeMs),
    readOwnStores(region, stack),
  ]);
  const { instances, caches } = servers.value.get(stackId) ?? noServers;
  return {
    ...emptyView,
    outputs,
    instances,
    caches,
    databases: databasesOf(databases.value, stackId),
    stores: [...stores, ...ownStores],
  };
}
