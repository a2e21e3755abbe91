import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import { call } from '../../api/call.ts';
import { hasStatus } from '../../api/failure.ts';
import { queries } from '../../api/read.ts';
import { useStackList } from '../../stacks/stack-list.ts';

type V3Stack = SuccessOf<typeof describeStack>;
type V2Stack = SuccessOf<typeof describeV2Stack>[number];

export type Instance = V2Stack['instances'][number];

/** A stack of either API version, as the pages show it. */
export interface StackNow {
  /** The API version whose routes serve it. */
  api: 'v2' | 'v3';
  id: string;
  nickname: string;
  status: V3Stack['stack_status'];
  reason: string;
  /** Why a failed operation is undone, and how far that is; null: it is not. */
  undoing: string | null;
  vendor: string;
  region: string;
  isSandbox: boolean;
  /** Who made it; empty for v2. */
  madeBy: string;
  createdAt: string;
  /** The current version; null for v2, which has none. */
  versionId: string | null;
  flags: readonly string[];
  instances: readonly Instance[];
  databases: V3Stack['dbinstances'];
  caches: V3Stack['caches'];
  outputs: V3Stack['stack_outputs'];
  /** Whether the application serves, and why not. */
  health: V3Stack['health'];
  healthReason: string;
  /** What is being done now, and why, if it is not what was requested. */
  doing: V3Stack['doing'];
  doingReason: string;
}

/** The members of a template that the pages read. Secrets are not in it. */
interface Template {
  vendor?: Record<string, { cred?: string; region?: string }>;
  configurations?: { flag?: string }[];
}

const sandboxCredential = 'SANDBOX';

type Both = Pick<
  V3Stack,
  'stack_id' | 'nickname' | 'stack_status' | 'stack_status_reason' | 'vendor' | 'create_time'
>;

const common = (stack: Both) => ({
  id: stack.stack_id,
  nickname: stack.nickname,
  status: stack.stack_status,
  reason: stack.stack_status_reason,
  vendor: stack.vendor,
  createdAt: stack.create_time,
});

type Said = Pick<V3Stack, 'health' | 'health_reason' | 'doing' | 'doing_reason'>;

const applicationOf = (said: Said) => ({
  health: said.health,
  healthReason: said.health_reason,
  doing: said.doing,
  doingReason: said.doing_reason,
});

function fromV3(stack: V3Stack): StackNow {
  const { vendor = {}, configurations = [] } = stack.configuration as Template;
  const [place] = Object.values(vendor);
  const { instances } = stack;
  return {
    ...common(stack),
    api: 'v3',
    undoing: stack.doing === 'undoing' ? stack.doing_reason : null,
    region: place?.region ?? '',
    isSandbox: stack.vendor === 'sandbox' || place?.cred === sandboxCredential,
    madeBy: stack.username,
    versionId: stack.version_id,
    flags: configurations.flatMap(({ flag }) => flag ?? []),
    instances: Array.isArray(instances) ? instances : Object.values(instances).flat(),
    databases: stack.dbinstances,
    caches: stack.caches,
    outputs: stack.stack_outputs,
    ...applicationOf(stack),
  };
}

function fromV2(stack: V2Stack): StackNow {
  const { region = '' } = stack.configuration as Record<string, string>;
  return {
    ...common(stack),
    api: 'v2',
    undoing: null,
    region,
    isSandbox: stack.vendor === 'sandbox',
    madeBy: '',
    versionId: null,
    flags: [...new Set(stack.instances.flatMap(({ flag }) => flag ?? []))],
    instances: stack.instances,
    databases: stack.dbinstances,
    caches: [],
    outputs: stack.stack_outputs,
    ...applicationOf({ health: 'none', health_reason: '', doing: '', doing_reason: '' }),
  };
}

async function read(id: string, signal: AbortSignal): Promise<StackNow> {
  const input = { params: { stack_id: id }, query: { view: 'details' as const }, signal };
  try {
    return fromV3(await call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', input));
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
  const [found] = await call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', input);
  if (!found) throw new Error('The service described no stack');
  return fromV2(found);
}

const keyOf = (id: string): readonly string[] => ['stack now', id];

/** API v2 tells the credential only in part, and nothing of the application; the list of stacks tells all of it. */
export function useStackNow(id: string): UseQueryResult<StackNow> {
  const row = useStackList().data?.find(({ stack_id }) => stack_id === id);
  const select = useCallback(
    (stack: StackNow): StackNow => {
      const isSandbox = stack.isSandbox || row?.cred === sandboxCredential;
      if (stack.api === 'v2' && row) return { ...stack, ...applicationOf(row), isSandbox };
      return isSandbox === stack.isSandbox ? stack : { ...stack, isSandbox };
    },
    [row],
  );
  return useQuery({ queryKey: keyOf(id), queryFn: ({ signal }) => read(id, signal), select });
}

export const readStackAgain = (id: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(id) });

export const isInProgress = ({ status }: Pick<StackNow, 'status'>): boolean =>
  status.endsWith('_IN_PROGRESS');
export const isFailed = ({ status }: StackNow): boolean => status.endsWith('_FAILED');
export const isGone = ({ status }: StackNow): boolean => status === 'DELETE_COMPLETE';
