import type { Client } from '../client.ts';
import { CloudError, ifThere, observing } from '../errors.ts';
import { byHeatName } from '../observe/leftover-kinds.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import type { HeatResource } from '../observe/resources.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import type { Region } from '../region.ts';
import type { StackResources } from './data/stores.ts';

interface Search {
  client: Client;
  stackId: string;
  resources: readonly HeatResource[];
  /** The ids that Heat has. */
  recorded: readonly string[];
}

const types = {
  network: 'OS::Neutron::Net',
  router: 'OS::Neutron::Router',
  subnet: 'OS::Neutron::Subnet',
  routerInterface: 'OS::Neutron::RouterInterface',
  keyPair: 'OS::Nova::KeyPair',
};

const idsOf = ({ resources }: Search, type: string): string[] =>
  resources.filter((each) => each.type === type && each.physicalId !== '').map((each) => each.physicalId);

/** What is in use stays; then Heat fails, and says why. */
async function tryTo(request: () => Promise<unknown>): Promise<void> {
  try {
    await ifThere(request);
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
  }
}

/** A network has every block of addresses once. */
async function deleteSubnets(search: Search): Promise<void> {
  const { client, stackId, recorded } = search;
  for (const network of idsOf(search, types.network)) {
    const path = `/v2.0/subnets?network_id=${network}&fields=id&fields=name`;
    type Answer = { subnets?: readonly { id: string; name: string }[] };
    const { subnets = [] } = await observing(() => client.read<Answer>({ service: 'network', path }));
    const left = subnets.filter((row) => byHeatName(row, stackId) && !recorded.includes(row.id));
    for (const { id } of left)
      await tryTo(() => client.change({ service: 'network', method: 'DELETE', path: `/v2.0/subnets/${id}` }));
  }
}

interface RouterPort {
  fixed_ips: readonly { subnet_id: string }[];
}

/** A router has an interface to a subnet once. Heat's id of an interface names the subnet. */
async function removeInterfaces(search: Search): Promise<void> {
  const { client } = search;
  const connected = idsOf(search, types.routerInterface);
  const own = new Set(idsOf(search, types.subnet));
  for (const router of idsOf(search, types.router)) {
    const path = `/v2.0/ports?device_id=${router}&device_owner=network%3Arouter_interface&fields=fixed_ips`;
    type Answer = { ports?: readonly RouterPort[] };
    const { ports = [] } = await observing(() => client.read<Answer>({ service: 'network', path }));
    const subnets = ports.flatMap(({ fixed_ips: ips }) => ips.map(({ subnet_id: id }) => id));
    for (const subnet of subnets.filter((id) => own.has(id) && !connected.some((each) => each.includes(id))))
      await tryTo(() =>
        client.change({
          service: 'network',
          method: 'PUT',
          path: `/v2.0/routers/${router}/remove_router_interface`,
          body: { subnet_id: subnet },
        }),
      );
  }
}

/** A user has every name of a key pair once. */
async function deleteKeyPairs({ client, stackId, recorded }: Search): Promise<void> {
  type Answer = { keypairs?: readonly { keypair: { name: string } }[] };
  const { keypairs = [] } = await observing(() =>
    client.read<Answer>({ service: 'compute', path: '/os-keypairs' }),
  );
  const names = keypairs.map(({ keypair }) => keypair.name);
  for (const name of names.filter((each) => each.startsWith(`${stackId}-`) && !recorded.includes(each)))
    await tryTo(() =>
      client.change({
        service: 'compute',
        method: 'DELETE',
        path: `/os-keypairs/${encodeURIComponent(name)}`,
      }),
    );
}

const clear: Readonly<Record<string, (search: Search) => Promise<void>>> = {
  [types.subnet]: deleteSubnets,
  [types.routerInterface]: removeInterfaces,
  [types.keyPair]: deleteKeyPairs,
};

/**
 * An engine of Heat that is killed between the creation of a resource and its record of it leaves a resource that Heat does not
 * know. Some of them make every further attempt fail, because the cloud has them once: deletes these. Others stay until the
 * stack is deleted. While an engine works, what it has just made is not recorded yet.
 */
export async function clearUnrecorded(
  region: Region,
  stack: HeatStack,
  { resources }: StackResources,
): Promise<void> {
  const isBusy = phaseOf(stack.status).kind === 'busy';
  if (isBusy && !(await isLost(region, stack))) return;
  const unmade = resources.filter(
    ({ physicalId, status }) => physicalId === '' && (isBusy || status === 'CREATE_FAILED'),
  );
  const recorded = resources.map(({ physicalId }) => physicalId);
  const search = { client: region.client, stackId: stack.stackId, resources, recorded };
  for (const type of new Set(unmade.map((each) => each.type))) await clear[type]?.(search);
}
