import type { FileToPut, Mount } from '../../../docker-engine/container-types.ts';
import { isConflict } from '../../../docker-engine/errors.ts';
import type { ImageRole } from '../catalog.ts';
import { type Balancer, type Fleet, memberAt } from '../document.ts';
import { labels, stackName } from '../names.ts';
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
import type { Kind } from '../running.ts';
import { imageOf, type Machine, type Wish } from '../tools.ts';
import { hostPortChoices, isPortTaken } from './host-ports.ts';
import { publicKeyOf } from './keys.ts';

/** Images that carry no programs are started with the machine's own. */
const hostPrograms: Mount = { kind: 'bind', source: '/usr', target: '/usr', readOnly: true };

async function lacksPrograms({ engine, tools }: Machine, role: ImageRole): Promise<boolean> {
  const found = await engine.images.inspect(imageOf(tools, role));
  return found?.labels[labels.hostPrograms] === 'true';
}

/** Undefined: somebody else made it meanwhile. */
async function create(machine: Machine, name: string, recipe: Recipe): Promise<string | undefined> {
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
export async function seedOf({ engine }: Machine, stackId: string): Promise<string | undefined> {
  return (await engine.networks.inspect(stackName(stackId)))?.labels[labels.seed];
}

async function publicKeyFor(machine: Machine, { stack }: Wish, fleet: Fleet): Promise<string | null> {
  const seed = fleet.keyPair ? await seedOf(machine, stack.id) : undefined;
  return seed === undefined ? null : publicKeyOf(seed, stack.id, fleet.flag);
}

/** What must be in a container before its first start. */
async function filesFor(
  machine: Machine,
  wish: Wish,
  kind: Kind,
  part: string,
  id: string,
): Promise<FileToPut[]> {
  if (kind === 'database')
    return [{ path: passwordFile, content: wish.databasePassword?.reveal() ?? '', mode: 0o600 }];
  const member = kind === 'instance' ? memberAt(wish.document, part) : undefined;
  const agent = member && (await machine.tools.agent());
  if (!agent) return [];
  return [
    { path: '/opt/almanac/alm-agent.mjs', content: agent.bundle },
    agentSettings(machine, wish, {
      flag: member.fleet.flag,
      containerId: id,
      hostUsr: await lacksPrograms(machine, 'instance'),
    }),
  ];
}

/** Also when it was started before: what was put in twice is the same. */
export async function startContainer(
  machine: Machine,
  wish: Wish,
  { id, kind, part }: { id: string; kind: Kind; part: string },
): Promise<void> {
  const { containers } = machine.engine;
  const files = await filesFor(machine, wish, kind, part, id);
  if (files.length > 0) await containers.putFiles(id, files);
  try {
    await containers.start(id);
  } catch (error) {
    // Its ports went to somebody else while it did not run: the next one gets others.
    if (isPortTaken(error)) await containers.remove(id, { force: true });
    throw error;
  }
}

async function makeInstance(machine: Machine, wish: Wish, step: Create): Promise<string | undefined> {
  const member = memberAt(wish.document, step.part);
  if (!member) return undefined;
  const publicKey = await publicKeyFor(machine, wish, member.fleet);
  const hasAgent = (await machine.tools.agent()) !== null;
  const recipe = instanceRecipe(machine, wish, { ...member, publicKey, hasAgent });
  return create(machine, step.name, { ...recipe, hostname: hostnameOf(wish.stack.id, step.name) });
}

async function makeBalancer(machine: Machine, wish: Wish, balancer: Balancer, step: Create): Promise<void> {
  for (const hostPorts of hostPortChoices(wish.stack.id, balancer, step)) {
    const id = await create(machine, step.name, balancerRecipe(machine, wish, balancer, hostPorts));
    if (id === undefined || !step.start) return;
    try {
      return await startContainer(machine, wish, { id, kind: 'balancer', part: step.part });
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
}

export async function makeContainer(machine: Machine, wish: Wish, step: Create): Promise<void> {
  const { kind, part } = step;
  const balancer = wish.document.balancers.find(({ name }) => kind === 'balancer' && name === part);
  if (balancer) return makeBalancer(machine, wish, balancer, step);
  const service = wish.document.services.find((each) => each.kind === kind && each.name === part);
  const id = service
    ? await create(machine, step.name, serviceRecipe(wish, service))
    : await makeInstance(machine, wish, step);
  if (id !== undefined && step.start) await startContainer(machine, wish, { id, kind, part });
}
