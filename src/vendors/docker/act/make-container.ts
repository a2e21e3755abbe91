import type { FileToPut, Mount } from '../../../docker-engine/container-types.ts';
import { isConflict } from '../../../docker-engine/errors.ts';
import type { ImageRole } from '../catalog.ts';
import { type Fleet, memberAt } from '../document.ts';
import { labels, stackName } from '../names.ts';
import type { Kind } from '../observed-stack.ts';
import {
  agentSettings,
  balancerRecipe,
  hostnameOf,
  instanceRecipe,
  passwordFile,
  type Recipe,
  serviceRecipe,
} from '../plan/container-specs.ts';
import type { Create } from '../plan/steps.ts';
import { type DesiredStack, imageOf, type Machine } from '../tools.ts';
import { hostPortChoices, isPortTaken } from './host-ports.ts';
import { publicKeyOf } from './keys.ts';

/** Images without programs of their own use the machine's. */
const hostPrograms: Mount = { kind: 'bind', source: '/usr', target: '/usr', readOnly: true };

async function lacksPrograms({ engine, tools }: Machine, role: ImageRole): Promise<boolean> {
  const found = await engine.images.inspect(imageOf(tools, role));
  return found?.labels[labels.hostPrograms] === 'true';
}

/** Undefined: another process has created it. */
export async function createContainer(
  machine: Machine,
  name: string,
  recipe: Recipe,
): Promise<string | undefined> {
  const { engine, tools } = machine;
  const { role, ...spec } = recipe;
  const image = imageOf(tools, role);
  const mounts = [...(spec.mounts ?? [])];
  if (await lacksPrograms(machine, role)) mounts.push(hostPrograms);
  try {
    return await engine.containers.create({ ...spec, name, image, mounts });
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

/** The seed of the stack's key pairs; undefined: there is no network. */
export async function keySeedOf({ engine }: Machine, stackId: string): Promise<string | undefined> {
  return (await engine.networks.inspect(stackName(stackId)))?.labels[labels.seed];
}

async function publicKeyFor(machine: Machine, { stack }: DesiredStack, fleet: Fleet): Promise<string | null> {
  const seed = fleet.keyPair ? await keySeedOf(machine, stack.id) : undefined;
  return seed === undefined ? null : publicKeyOf(seed, stack.id, fleet.flag);
}

interface Created {
  id: string;
  kind: Kind;
  part: string;
}

/** The files a container needs before its first start. */
async function filesFor(
  machine: Machine,
  desired: DesiredStack,
  { id, kind, part }: Created,
): Promise<FileToPut[]> {
  if (kind === 'database')
    return [{ path: passwordFile, content: desired.databasePassword?.reveal() ?? '', mode: 0o600 }];
  const member = kind === 'instance' ? memberAt(desired.document, part) : undefined;
  const agent = member && (await machine.tools.agent());
  if (!agent) return [];
  return [
    { path: '/opt/almanac/alm-agent.mjs', content: agent.bundle },
    agentSettings(machine, desired, {
      flag: member.fleet.flag,
      containerId: id,
      hostUsr: await lacksPrograms(machine, 'instance'),
    }),
  ];
}

/** Idempotent: a second call puts the same files. */
export async function startContainer(
  machine: Machine,
  desired: DesiredStack,
  created: Created,
): Promise<void> {
  const { containers } = machine.engine;
  const files = await filesFor(machine, desired, created);
  if (files.length > 0) await containers.putFiles(created.id, files);
  try {
    await containers.start(created.id);
  } catch (error) {
    // Another process took its ports while it was stopped. Its successor gets other ports.
    if (isPortTaken(error)) await containers.remove(created.id, { force: true });
    throw error;
  }
}

async function makeInstance(
  machine: Machine,
  desired: DesiredStack,
  step: Create,
): Promise<string | undefined> {
  const member = memberAt(desired.document, step.part);
  if (!member) return undefined;
  const publicKey = await publicKeyFor(machine, desired, member.fleet);
  const hasAgent = (await machine.tools.agent()) !== null;
  const recipe = instanceRecipe(machine, desired, { ...member, publicKey, hasAgent });
  return createContainer(machine, step.name, {
    ...recipe,
    hostname: hostnameOf(desired.stack.id, step.name),
  });
}

async function makeBalancer(machine: Machine, desired: DesiredStack, step: Create): Promise<void> {
  const balancer = desired.document.balancers.find(({ name }) => name === step.part);
  if (!balancer) return;
  for (const hostPorts of hostPortChoices(desired.stack.id, balancer, step)) {
    const id = await createContainer(
      machine,
      step.name,
      balancerRecipe(machine, desired, { balancer, hostPorts }),
    );
    if (id === undefined || !step.start) return;
    try {
      return await startContainer(machine, desired, { id, kind: 'balancer', part: step.part });
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
}

export async function makeContainer(machine: Machine, desired: DesiredStack, step: Create): Promise<void> {
  const { kind, part } = step;
  if (kind === 'balancer') return makeBalancer(machine, desired, step);
  const service = desired.document.services.find((each) => each.kind === kind && each.name === part);
  const id = service
    ? await createContainer(machine, step.name, serviceRecipe(desired, service))
    : await makeInstance(machine, desired, step);
  if (id !== undefined && step.start) await startContainer(machine, desired, { id, kind, part });
}
