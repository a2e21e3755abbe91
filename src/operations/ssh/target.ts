import { Failure, notFound } from '../../basics/failure.ts';
import { findStack, type StackRow } from '../../store/stacks/stacks.ts';
import type { Instance } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';
import type { Service } from '../service.ts';
import { vendorOf } from '../stacks/submit/vendor-access.ts';

/** Who may read a layer's key may use it. */
export const sshAction = 'stack:describePem';

/** Which instance a caller means. An empty text is the same as none. */
export interface AskedTarget {
  ip?: string | undefined;
  instanceId?: string | undefined;
  flag?: string | undefined;
  user?: string | undefined;
}

/** One instance of one stack, and how to get in. */
export interface SshTarget {
  stack: StackRow;
  instanceId: string;
  flag: string;
  /** One of the instance's own addresses, never one that only the caller knows. */
  host: string;
  user: string;
}

const addressesOf = ({ publicIp, privateIp }: Instance): string[] =>
  [publicIp, privateIp].filter((address): address is string => Boolean(address));

const nameOf = (instance: Instance): string =>
  `${instance.id} (${[instance.flag, ...addressesOf(instance)].join(', ')})`;

const fits = (instance: Instance, { ip, instanceId, flag }: AskedTarget): boolean =>
  (!ip || addressesOf(instance).includes(ip)) &&
  (!instanceId || instance.id === instanceId) &&
  (!flag || instance.flag === flag);

const askedFor = ({ ip, instanceId, flag }: AskedTarget): string =>
  [instanceId, ip, flag && `in layer ${flag}`].filter(Boolean).join(' ');

function chooseInstance(stack: StackRow, asked: AskedTarget): Instance {
  const running = stack.view.instances.filter(({ state }) => state === 'running');
  const [only, ...others] = running.filter((instance) => fits(instance, asked));
  if (only && others.length === 0) return only;
  const description = running.length > 0 ? `Running are: ${running.map(nameOf).join('; ')}.` : '';
  if (only) throw new Failure('invalid_request', 'Say which instance, by instance_id or ip', { description });
  if (running.length === 0)
    throw new Failure('conflict', `No instance of stack ${stack.id} is running`, {
      description: 'Look at its status and try again.',
    });
  throw new Failure('not_found', `Stack ${stack.id} has no running instance ${askedFor(asked)}`, {
    description,
  });
}

/** The instance a caller means, of a stack whose keys it may use. */
export async function chooseTarget(
  service: Service,
  actor: Actor,
  stackId: string,
  asked: AskedTarget,
): Promise<SshTarget> {
  const { query } = service.database;
  await requireOnStack(query, actor, sshAction, stackId);
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.deleted_at !== null) throw notFound('Stack', stackId);
  const { catalog, name } = await vendorOf(service, stack);
  // The addresses of pretended instances are anybody's: nothing may be sent there.
  if (name === 'sandbox' && !service.ssh?.dial)
    throw new Failure('invalid_request', 'The instances of the sandbox are pretended', {
      description: 'There is nothing to connect to. Use a stack on a real vendor.',
    });
  const instance = chooseInstance(stack, asked);
  const [usual = ''] = addressesOf(instance);
  const { id: instanceId, flag } = instance;
  return { stack, instanceId, flag, host: asked.ip || usual, user: asked.user || catalog.sshUser };
}
