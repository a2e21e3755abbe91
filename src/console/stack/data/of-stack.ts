import type { UseQueryResult } from '@tanstack/react-query';
import type { CallInput } from '../../../contract/client.ts';
import type { Route, SuccessOf } from '../../../contract/route.ts';
import type { listResources } from '../../../contract/v3/cloud/resources.ts';
import type { estimateStack } from '../../../contract/v3/stacks.ts';
import type { listVersions } from '../../../contract/v3/versions.ts';
import { readAgain, useRead } from '../../api/read.ts';
import type { StackNow } from './stack-now.ts';

type Which = Pick<StackNow, 'api' | 'id'>;

/** The same route below both API versions. The types are those of v3. */
export const pathOf = <R extends Route>({ api }: Which, rest: string): R['path'] =>
  `/${api}/alm/stack/{stack_id}${rest}`;

const useOfStack = <R extends Route>(stack: Which, rest: string): UseQueryResult<SuccessOf<R>> =>
  // Every route of a stack has this parameter, and no other that is required.
  useRead<R>(pathOf<R>(stack, rest), { params: { stack_id: stack.id } } as unknown as CallInput<R>);

export const useResources = (stack: Which) => useOfStack<typeof listResources>(stack, '/resources');

export const useEstimate = (stack: Which) => useOfStack<typeof estimateStack>(stack, '/estimate');

export type Version = SuccessOf<typeof listVersions>[number];

/** Newest first. Stacks of v2 have no versions. */
export const useVersions = ({ api, id }: Which): readonly Version[] =>
  useRead<typeof listVersions>('/v3/alm/template', { query: { stack_id: id } }, { enabled: api === 'v3' })
    .data ?? [];

/** After something happened to the stack. */
export const readOfStackAgain = (stack: Which): void => {
  const params = { stack_id: stack.id };
  for (const rest of ['/resources', '/estimate']) void readAgain(pathOf(stack, rest), params);
  void readAgain('/v3/alm/stack/{stack_id}/rollouts', params);
  void readAgain('/v3/alm/template');
  void readAgain('/v3/alm/data');
};

/** A version by its label, or by the beginning of its id. */
export const nameOfVersion = (versions: readonly Version[], id: string | null): string => {
  const label = versions.find(({ version_id }) => version_id === id)?.label;
  return label ? `“${label}”` : `version ${id?.slice(0, 8) ?? ''}`;
};
