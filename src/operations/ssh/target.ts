import { Failure } from '../../basics/failure.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import { findVersion } from '../../store/stacks/versions.ts';
import type { Instance, Vendor } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { vendorOf } from '../stacks/submit/vendor-access.ts';

/** Permission to read a layer's key includes permission to use it. */
export const sshAction = 'stack:describePem';

/** Selects an instance of a stack. An empty string counts as absent. */
export interface TargetRequest {
  stackId: string;
  ip?: string | undefined;
  instanceId?: string | undefined;
  flag?: string | undefined;
  user?: string | undefined;
}

/** One instance of a stack, with the address and user to connect with. */
export interface SshTarget {
  stack: StackRow;
  instanceId: string;
  flag: string;
  /** Always one of the instance's own addresses. */
  host: string;
  user: string;
}

const addressesOf = ({ publicIp, privateIp }: Instance): string[] =>
  [publicIp, privateIp].filter((address): address is string => Boolean(address));

const labelOf = (instance: Instance): string =>
  `${instance.id} (${[instance.flag, ...addressesOf(instance)].join(', ')})`;

const matches = (instance: Instance, { ip, instanceId, flag }: TargetRequest): boolean =>
  (!ip || addressesOf(instance).includes(ip)) &&
  (!instanceId || instance.id === instanceId) &&
  (!flag || instance.flag === flag);

const requestedInstance = ({ ip, instanceId, flag }: TargetRequest): string =>
  [instanceId, ip, flag && `in layer ${flag}`].filter(Boolean).join(' ');

function chooseInstance(stack: StackRow, request: TargetRequest): Instance {
  const running = stack.view.instances.filter(({ state }) => state === 'running');
  const [match, ...others] = running.filter((instance) => matches(instance, request));
  if (match && others.length === 0) return match;
  const description = running.length > 0 ? `Running instances: ${running.map(labelOf).join('; ')}.` : '';
  if (match)
    throw new Failure('invalid_request', 'Several instances match; specify instance_id or ip', {
      description,
    });
  if (running.length === 0)
    throw new Failure('conflict', `No instance of stack ${stack.id} is running`, {
      description: 'Check the status of the stack and try again.',
    });
  throw new Failure('not_found', `Stack ${stack.id} has no running instance ${requestedInstance(request)}`, {
    description,
  });
}

/** Where the user depends on the image, it is that of the version that the servers have. */
async function defaultUser(
  { database: { query } }: Service,
  vendor: Vendor,
  { stack, flag }: { stack: StackRow; flag: string },
): Promise<string> {
  const { sshUser: ofVendor } = vendor.catalog;
  if (!vendor.sshUser) return ofVendor;
  const version = await findVersion(query, stack.id, stack.settled_version ?? stack.desired_version);
  return (version && vendor.sshUser(version.vendor_document, flag)) ?? ofVendor;
}

/** Finds the requested instance of a stack whose keys the actor may use. */
export async function chooseTarget(
  service: Service,
  actor: Actor,
  request: TargetRequest,
): Promise<SshTarget> {
  const { query } = service.database;
  const { stackId } = request;
  await requireOnStack(query, actor, { action: sshAction, stackId });
  const stack = await findExistingStack(query, actor.accountId, { stackId });
  const vendor = await vendorOf(service, stack);
  const { name, isSimulated } = vendor;
  // Addresses of simulated instances may belong to real hosts: never connect to them.
  if (isSimulated && !service.ssh?.dial)
    throw new Failure('invalid_request', `The instances of vendor ${name} are simulated`, {
      description: 'There is nothing to connect to. Use a stack on a real vendor.',
    });
  const instance = chooseInstance(stack, request);
  const [firstAddress = ''] = addressesOf(instance);
  const { id: instanceId, flag } = instance;
  return {
    stack,
    instanceId,
    flag,
    host: request.ip || firstAddress,
    user: request.user || (await defaultUser(service, vendor, { stack, flag })),
  };
}
