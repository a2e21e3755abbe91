import { createHash, randomBytes } from 'node:crypto';
import { type Clock, realClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { Container, ExecResult } from '../../../src/docker-engine/container-types.ts';
import { openEngine } from '../../../src/docker-engine/engine.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Release } from '../../../src/vendors/data.ts';
import { type KeepTools, listKept, removeKept } from '../../../src/vendors/docker/keep/kept-volumes.ts';
import type { KeptVolume } from '../../../src/vendors/docker/keep/record.ts';
import { dockerVendor } from '../../../src/vendors/docker/vendor.ts';
import type {
  Driver,
  Observation,
  StackOnVendor,
  StackView,
  VendorDocument,
} from '../../../src/vendors/vendor.ts';
import { compiled } from '../../vendors/docker/documents.ts';
import { testEngine, testSocket } from './engine-world.ts';

/**
 * A fake agent: serves the instance's id on port 80. It is ready at once or, with `waits`, when `/run/almanac/go` exists. It
 * keeps a processor busy while `/run/almanac/burn` exists.
 */
const fakeAgent = (waits: boolean): string => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const settings = JSON.parse(readFileSync('/opt/almanac/agent.json', 'utf8'));
createServer((request, response) => response.end(settings.instanceId)).listen(80);
const look = setInterval(() => {
  if (${waits} && !existsSync('/run/almanac/go')) return;
  writeFileSync('/run/almanac/ready', '{}');
  clearInterval(look);
}, 20);
setInterval(() => {
  const end = Date.now() + 900;
  while (existsSync('/run/almanac/burn') && Date.now() < end);
}, 1000);
`;

export const databasePassword = new Secret("it's a pass word");
const agentToken = new Secret('the-token-of-the-agents');
const maxPasses = 400;

export const accessWith = (secret: string) => ({
  accountId: 'test',
  credentialId: 'local',
  secret: new Secret(secret),
  role: null,
  authUrl: null,
});

export interface WorldOptions {
  agent?: 'at once' | 'on signal' | 'none';
  engine?: Engine;
  socketPath?: string;
  clock?: Clock;
  /** Of the databases. */
  password?: Secret;
}

/** One version, as the reconciler applies it. */
export interface Applied {
  document: VendorDocument;
  version: string;
  releases?: readonly Release[];
}

/** The vendor on the engine of scripts/with-docker.sh, with a loop that acts as the reconciler. */
export class VendorWorld {
  readonly engine: Engine;
  readonly driver: Driver;
  readonly vendor;
  /** A driver without memory, as after a restart of the server. */
  readonly connect: () => Driver;
  readonly #password: Secret;
  readonly #desired = new Map<string, Applied & { stack: StackOnVendor }>();
  readonly #removed = new Map<string, DataChoice | readonly Release[]>();

  constructor(options: WorldOptions = {}) {
    const {
      agent = 'at once',
      engine = testEngine(),
      socketPath = testSocket(),
      clock = realClock,
      password = databasePassword,
    } = options;
    this.#password = password;
    this.engine = engine;
    const bundle = Buffer.from(fakeAgent(agent === 'on signal'));
    const sha256 = createHash('sha256').update(bundle).digest('hex');
    const tools = {
      clock,
      engineAt: (path: string) =>
        path === testSocket() ? engine : openEngine({ socketPath: path, clock: realClock }),
      socketPath,
      imagePrefix: 'almanac/',
      agent: async () => (agent === 'none' ? null : { bundle, sha256 }),
      serverSocket: null,
      serverUrl: () => 'http://127.0.0.1:9',
      publishAddress: '127.0.0.1',
      keepDays: 30,
    };
    this.connect = () => dockerVendor(tools).connect(accessWith('none'));
    this.vendor = dockerVendor(tools);
    this.driver = this.connect();
  }

  newStack(): StackOnVendor {
    return { id: `mo-test-${randomBytes(4).toString('hex')}-tk`, accountId: 'test', region: 'local' };
  }

  /** One apply, as the reconciler calls it. */
  apply(stack: StackOnVendor, model: StackModel, version: string) {
    return this.applyDocument(stack, { document: compiled(model), version });
  }

  applyDocument(stack: StackOnVendor, { document, version, releases = [] }: Applied) {
    this.#desired.set(stack.id, { stack, document, version, releases });
    this.#removed.delete(stack.id);
    const secrets = { agentToken, databasePassword: this.#password };
    return this.driver.apply(stack, { document, version, releases, ...secrets });
  }

  /** One choice for all stores that the stack has then, or one for each. */
  async remove(stack: StackOnVendor, word: DataChoice | readonly Release[] = 'keep') {
    this.#removed.set(stack.id, word);
    const releases = typeof word === 'string' ? await this.#releases(stack, word) : word;
    return this.driver.remove(stack, { releases, intent: 'delete 1' });
  }

  async #releases(stack: StackOnVendor, choice: DataChoice): Promise<Release[]> {
    const { stores = [] } = viewOf(await this.driver.observe(stack));
    return stores.map(({ id, resource, kind }) => ({ storeId: id, resource, kind, choice }));
  }

  /** Calls apply or remove again while the stack is unfinished, until `isDone`. */
  async drive(
    stack: StackOnVendor,
    isDone: (observation: Observation) => boolean | Promise<boolean>,
    passes = maxPasses,
  ): Promise<Observation> {
    for (let pass = 0; pass < passes; pass += 1) {
      const observation = await this.driver.observe(stack);
      if (await isDone(observation)) return observation;
      if (observation.kind === 'broken' || observation.kind === 'unreachable')
        throw new Error(observation.reason);
      if (observation.kind === 'unfinished') await this.#retry(stack);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Stack ${stack.id} does not converge.`);
  }

  async #retry(stack: StackOnVendor): Promise<void> {
    const desired = this.#desired.get(stack.id);
    const removal = this.#removed.get(stack.id);
    if (removal || !desired) await this.remove(stack, removal);
    else await this.applyDocument(stack, desired);
  }

  /** Drives the stack until its version is settled, or until it is absent. */
  async settle(stack: StackOnVendor): Promise<StackView> {
    const version = this.#desired.get(stack.id)?.version;
    const expected = this.#removed.has(stack.id) ? 'absent' : 'settled';
    const end = await this.drive(
      stack,
      (seen) => seen.kind === expected && (seen.kind !== 'settled' || seen.version === version),
    );
    return viewOf(end);
  }

  async make(stack: StackOnVendor, model: StackModel, version = 'v1'): Promise<StackView> {
    await this.apply(stack, model, version);
    return this.settle(stack);
  }

  async removeCompletely(stack: StackOnVendor, data: DataChoice = 'delete'): Promise<void> {
    await this.remove(stack, data);
    await this.settle(stack);
  }

  /** The volumes that outlived their use. */
  async keptOf({ id }: StackOnVendor): Promise<KeptVolume[]> {
    return (await listKept(this.keepTools)).filter(({ stackId }) => stackId === id);
  }

  get keepTools(): KeepTools {
    return { engine: this.engine, clock: realClock, keepDays: 30 };
  }

  get stacks(): StackOnVendor[] {
    return [...this.#desired.values()].map(({ stack }) => stack);
  }

  containersOf({ id }: StackOnVendor, labels: Record<string, string> = {}): Promise<Container[]> {
    return this.engine.containers.list({ 'almanac.stack': id, ...labels });
  }

  /** The number of objects the engine has of the stack. */
  async count(stack: StackOnVendor): Promise<{ containers: number; networks: number; volumes: number }> {
    const label = { 'almanac.stack': stack.id };
    const { containers, networks, volumes } = this.engine;
    const [foundContainers, foundNetworks, foundVolumes] = await Promise.all([
      containers.list(label),
      networks.list(label),
      volumes.list(label),
    ]);
    return {
      containers: foundContainers.length,
      networks: foundNetworks.length,
      volumes: foundVolumes.length,
    };
  }

  async exec(stack: StackOnVendor, part: string, ...argv: string[]): Promise<ExecResult> {
    const [found] = await this.containersOf(stack, { 'almanac.part': part });
    if (!found) throw new Error(`There is no container for ${part}.`);
    return this.engine.containers.exec(found.id, argv);
  }

  /** Lets waiting fake agents become ready. */
  async signalAgents(stack: StackOnVendor): Promise<void> {
    for (const { id } of await this.containersOf(stack, { 'almanac.kind': 'instance' }))
      await this.engine.containers.putFiles(id, [{ path: '/run/almanac/go', content: 'go' }]).catch(() => {});
  }

  async clear(): Promise<void> {
    for (const stack of this.stacks) {
      await this.removeCompletely(stack);
      for (const { volume } of await this.keptOf(stack)) await removeKept(this.keepTools, volume);
    }
  }
}

export function viewOf(observation: Observation): StackView {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
}

export const outputIn = ({ outputs }: StackView, key: string): string | undefined =>
  outputs.find((output) => output.key === key)?.value;
