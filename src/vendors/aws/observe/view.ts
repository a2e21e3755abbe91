import { emptyView, type Output, type StackView } from '../../vendor.ts';
import { cacheOutput, databaseOutput, ownOutputs, replicaOutput } from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';

const isOwn = (key: string): boolean => key.startsWith(ownOutputs);

const outputsOf = ({ outputs }: CloudStack): Output[] =>
  [...outputs]
    .filter(([key]) => !isOwn(key))
    .map(([key, { value, description }]) => ({ key, value, description }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** Physical names of a stack's resources of one kind. */
const namesIn = ({ outputs }: CloudStack, ...starts: string[]): string[] =>
  [...outputs].filter(([key]) => starts.some((start) => key.startsWith(start))).map(([, { value }]) => value);

const databaseStarts = [databaseOutput(''), replicaOutput('', 0).replace(/0Of$/, '')];

/** Names of the outputs that show databases and caches. */
export const dataOutputs = ({ outputs }: CloudStack): string[] =>
  [...outputs.keys()].filter((key) =>
    [databaseOutput(''), cacheOutput('')].some((start) => key.startsWith(start)),
  );

/** Whether the stack may hold data, as far as its outputs show. */
export const mayHoldData = (stack: CloudStack): boolean => dataOutputs(stack).length > 0;

/** Reads the current resources. Databases and caches are read only if the stack has any. */
export async function readView(region: Region, stack: CloudStack, maxAgeMs: number): Promise<StackView> {
  const databaseNames = namesIn(stack, ...databaseStarts);
  const cacheNames = namesIn(stack, cacheOutput(''));
  const [instances, databases, caches] = await Promise.all([
    region.instances.get(maxAgeMs),
    Promise.all(databaseNames.map((name) => region.databases.get(name, maxAgeMs))),
    Promise.all(cacheNames.map((name) => region.caches.get(name, maxAgeMs))),
  ]);
  return {
    ...emptyView,
    outputs: outputsOf(stack),
    instances: instances.value.get(stack.stackId) ?? [],
    databases: databases.flatMap(({ value }) => value ?? []),
    caches: caches.flatMap(({ value }) => value ?? []),
  };
}
