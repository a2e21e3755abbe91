import { createHash, randomBytes } from 'node:crypto';
import { realClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { Container, ExecResult } from '../../../src/docker-engine/container-types.ts';
import { openEngine } from '../../../src/docker-engine/engine.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { dockerVendor } from '../../../src/vendors/docker/vendor.ts';
import type { Driver, Observation, StackOnVendor, StackView } from '../../../src/vendors/vendor.ts';
import { compiled } from '../../vendors/docker/documents.ts';
import { testEngine, testSocket } from './engine-world.ts';

/**
 * OURS, in place of the agent: answers on port 80 with the instance's id, and is ready at once, or when `/run/almanac/go`
 * is there where it is told to wait.
 */
const pretendAgent = (waits: boolean): string => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const settings = JSON.parse(readFileSync('/opt/almanac/agent.json', 'utf8'));
createServer((request, response) => response.end(settings.instanceId)).listen(80);
const look = setInterval(() => {
  if (${waits} && !existsSync('/run/almanac/go')) return;
  writeFileSync('/run/almanac/ready', '{}');
  clearInterval(look);
}, 20);
setInterval(() => {}, 1000);
`;

export const databasePassword = new Secret("it's a pass word");
const agentToken = new Secret('the-token-of-the-agents');
const maxPasses = 400;

export const accessWith = (secret: string) => ({
  accountId: 'test',
  credentialId: 'local',
  secret: new Secret(secret),
  role: null,
});

export interface WorldOptions {
  agent?: 'at once' | 'when told' | 'none';
  engine?: Engine;
  socketPath?: string;
}

/** The vendor on the engine of scripts/with-docker.sh, and the reconciler's part: ask again until it is done. */
export class VendorWorld {
  readonly engine: Engine;
  readonly driver: Driver;
  readonly vendor;
  readonly #wishes = new Map<string, { stack: StackOnVendor; model: StackModel; version: string }>();
  readonly #removed = new Set<string>();

  constructor({ agent = 'at once', engine = testEngine(), socketPath = testSocket() }: WorldOptions = {}) {
    this.engine = engine;
    const bundle = Buffer.from(pretendAgent(agent === 'when told'));
    const sha256 = createHash('sha256').update(bundle).digest('hex');
    this.vendor = dockerVendor({
      clock: realClock,
      engineAt: (path) =>
        path === testSocket() ? engine : openEngine({ socketPath: path, clock: realClock }),
      socketPath,
      imagePrefix: 'almanac/',
      agent: async () => (agent === 'none' ? null : { bundle, sha256 }),
      serverSocket: null,
      serverUrl: () => 'http://127.0.0.1:9',
      publishAddress: '127.0.0.1',
    });
    this.driver = this.vendor.connect(accessWith('none'));
  }

  newStack(): StackOnVendor {
    return { id: `mo-test-${randomBytes(4).toString('hex')}-tk`, accountId: 'test', region: 'local' };
  }

  /** One call, as the reconciler makes it. */
  apply(stack: StackOnVendor, model: StackModel, version: string) {
    this.#wishes.set(stack.id, { stack, model, version });
    this.#removed.delete(stack.id);
    return this.driver.apply(stack, { document: compiled(model), version, agentToken, databasePassword });
  }

  remove(stack: StackOnVendor) {
    this.#removed.add(stack.id);
    return this.driver.remove(stack);
  }

  /** Asks again for as long as that is what it takes, until `enough`. */
  async drive(
    stack: StackOnVendor,
    enough: (observation: Observation) => boolean | Promise<boolean>,
  ): Promise<Observation> {
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const observation = await this.driver.observe(stack);
      if (await enough(observation)) return observation;
      if (observation.kind === 'broken' || observation.kind === 'unreachable')
        throw new Error(observation.reason);
      if (observation.kind === 'unfinished') await this.#again(stack);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Stack ${stack.id} does not get there.`);
  }

  async #again(stack: StackOnVendor): Promise<void> {
    const desired = this.#wishes.get(stack.id);
    if (this.#removed.has(stack.id) || !desired) await this.remove(stack);
    else await this.apply(stack, desired.model, desired.version);
  }

  /** To the end: the version stands, or nothing does. */
  async settle(stack: StackOnVendor): Promise<StackView> {
    const version = this.#wishes.get(stack.id)?.version;
    const wanted = this.#removed.has(stack.id) ? 'absent' : 'settled';
    const end = await this.drive(
      stack,
      (seen) => seen.kind === wanted && (seen.kind !== 'settled' || seen.version === version),
    );
    return viewOf(end);
  }

  async make(stack: StackOnVendor, model: StackModel, version = 'v1'): Promise<StackView> {
    await this.apply(stack, model, version);
    return this.settle(stack);
  }

  async takeAway(stack: StackOnVendor): Promise<void> {
    await this.remove(stack);
    await this.settle(stack);
  }

  get stacks(): StackOnVendor[] {
    return [...this.#wishes.values()].map(({ stack }) => stack);
  }

  containersOf({ id }: StackOnVendor, labels: Record<string, string> = {}): Promise<Container[]> {
    return this.engine.containers.list({ 'almanac.stack': id, ...labels });
  }

  /** Everything the engine has of it. */
  async count(stack: StackOnVendor): Promise<{ containers: number; networks: number; volumes: number }> {
    const label = { 'almanac.stack': stack.id };
    const { containers, networks, volumes } = this.engine;
    const [all, nets, vols] = await Promise.all([
      containers.list(label),
      networks.list(label),
      volumes.list(label),
    ]);
    return { containers: all.length, networks: nets.length, volumes: vols.length };
  }

  async exec(stack: StackOnVendor, part: string, ...argv: string[]): Promise<ExecResult> {
    const [found] = await this.containersOf(stack, { 'almanac.part': part });
    if (!found) throw new Error(`There is no ${part}.`);
    return this.engine.containers.exec(found.id, argv);
  }

  async letGo(stack: StackOnVendor): Promise<void> {
    for (const { id } of await this.containersOf(stack, { 'almanac.kind': 'instance' }))
      await this.engine.containers.putFiles(id, [{ path: '/run/almanac/go', content: 'go' }]).catch(() => {});
  }

  async clear(): Promise<void> {
    for (const stack of this.stacks) await this.takeAway(stack);
  }
}

export function viewOf(observation: Observation): StackView {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
}

export const outputIn = ({ outputs }: StackView, key: string): string | undefined =>
  outputs.find((output) => output.key === key)?.value;
