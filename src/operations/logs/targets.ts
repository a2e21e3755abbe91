import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { listLogSenders } from '../../store/stacks/agents.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';

/** Selects instances of a stack. An empty string counts as absent. */
export interface InstanceFilter {
  flag?: string | undefined;
  instanceId?: string | undefined;
  /** That there is none at present is not an error: one may follow. */
  mayBeNone?: boolean;
}

/** An instance whose logs are asked for, and who has them. */
export interface LogTarget {
  instanceId: string;
  flag: string;
  by: 'agent' | 'vendor' | 'nobody';
  /** Why nobody has them. */
  why: string;
}

/** Also what fits into the announcement of a request. */
const maxInstances = 50;

interface NamedInstance {
  id: string;
  flag: string;
}

/** An agent on a server that was installed by hand is not among the stack's instances, but can be named. */
function chooseInstances(
  { id, view }: StackRow,
  { flag, instanceId, mayBeNone }: InstanceFilter,
): NamedInstance[] {
  const instances = view.instances.filter(({ state }) => state !== 'terminated');
  const matching = instances.filter(
    (instance) => (!flag || instance.flag === flag) && (!instanceId || instance.id === instanceId),
  );
  if (matching.length === 0 && instanceId) return [{ id: instanceId, flag: flag ?? '' }];
  if (matching.length === 0 && flag && !mayBeNone)
    throw new Failure('not_found', `Stack ${id} has no instance in layer ${flag}`, {
      description: `Layers with instances: ${[...new Set(instances.map((each) => each.flag))].join(', ') || 'none'}.`,
    });
  if (matching.length > maxInstances)
    throw new Failure(
      'invalid_request',
      `${matching.length} instances match; at most ${maxInstances} can be read`,
      {
        description: 'Specify flag or instance_id.',
      },
    );
  return matching;
}

const withoutLogs =
  'cannot send logs. The agent of Almanac can; install its present version with /agent/install.sh.';

function targetOf(
  { id: instanceId, flag }: NamedInstance,
  sends: boolean | undefined,
  vendorHasLogs: boolean,
): LogTarget {
  const target = { instanceId, flag, why: '' };
  if (sends) return { ...target, by: 'agent' };
  if (vendorHasLogs) return { ...target, by: 'vendor' };
  const why =
    sends === undefined
      ? `No agent has reported from instance ${instanceId}.`
      : `The agent of instance ${instanceId} ${withoutLogs}`;
  return { ...target, by: 'nobody', why };
}

/** Throws `not_found` for an instance that neither the stack nor an agent has. */
export async function findTargets(
  query: Query,
  stack: StackRow,
  { filter, vendorHasLogs }: { filter: InstanceFilter; vendorHasLogs: boolean },
): Promise<LogTarget[]> {
  const chosen = chooseInstances(stack, filter);
  const ids = chosen.map(({ id }) => id);
  const senders = await listLogSenders(query, stack.id, ids);
  const known = new Set(stack.view.instances.map(({ id }) => id));
  const isFound = (id: string): boolean => known.has(id) || senders.has(id);
  const unknown = ids.find((id) => !isFound(id));
  if (unknown !== undefined && !filter.mayBeNone)
    throw new Failure('not_found', `Stack ${stack.id} has no instance ${unknown}`, {
      description: `Instances: ${[...known].join(', ') || 'none'}.`,
    });
  return chosen
    .filter(({ id }) => isFound(id))
    .map((instance) => targetOf(instance, senders.get(instance.id), vendorHasLogs && known.has(instance.id)));
}
