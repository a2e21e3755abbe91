import { Secret } from '../../../src/basics/secret.ts';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Release } from '../../../src/vendors/data.ts';
import { readServers } from '../../../src/vendors/openstack/act/missing-servers.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { readByName } from '../../../src/vendors/openstack/observe/list-stacks.ts';
import { openStackVendor } from '../../../src/vendors/openstack/vendor.ts';
import type { Observation, StackOnVendor } from '../../../src/vendors/vendor.ts';
import { eventually } from '../../http.ts';
import { storesOf } from './releases.ts';
import { rig } from './rig.ts';
import { patiently } from './steps.ts';
import { agentToken, type OpenStackWorld, pollMs } from './world.ts';

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEhNa5T9ikmikBJF7vD2wuc2nCjAWfdLHNODKm55Gybq example';

interface Update {
  model: StackModel;
  version: string;
  /** For all data that the update removes or replaces. Disks are released. */
  data?: DataChoice;
  restored?: ReadonlyMap<string, string>;
}

/** The vendor on the rig: compiles models, and works on one stack as the reconciler does. */
export class DataWorld {
  readonly #world: OpenStackWorld;
  readonly #vendor: ReturnType<typeof openStackVendor>;
  readonly stack: StackOnVendor;
  #document: OpenStackDocument | null = null;

  constructor(world: OpenStackWorld) {
    this.#world = world;
    this.stack = world.newStack();
    this.#vendor = openStackVendor('openstack', {
      clock: world.clock,
      baseUrl: () => 'https://almanac.example',
      pollSeconds: pollMs / 1000,
      countCall: () => undefined,
      authUrls: { setting: 'ALM_OPENSTACK_AUTH_URLS', urls: [rig.authUrl], moved: new Map() },
    });
  }

  get #access() {
    return { ...this.#world.access, accountId: 'a', role: null };
  }

  get driver() {
    return this.#vendor.connect(this.#access);
  }

  stores = () => patiently(() => storesOf(this.driver, this.stack));
  listKept = () => patiently(async () => (await this.driver.listKept?.(this.stack)) ?? []);

  async #compile(model: StackModel): Promise<OpenStackDocument> {
    const before = this.#document;
    const choices = await patiently(async () => this.#vendor.choose?.(this.#access, model, before));
    if (!choices?.ok) throw new Error(JSON.stringify(choices));
    const document = this.#vendor.compile(model, this.stack.id, choices.value);
    if (!document.ok) throw new Error(JSON.stringify(document.problems));
    return JSON.parse(JSON.stringify(document.value)) as OpenStackDocument;
  }

  async #releases(after: OpenStackDocument | null, choice: DataChoice): Promise<Release[]> {
    const declared = new Set((after ? this.#vendor.storesOf(after) : []).map(({ resource }) => resource));
    const before = this.#document;
    const replaced = before && after ? await this.#vendor.replacedStores({ before, after }) : [];
    return (await this.stores())
      .filter(({ resource }) => !declared.has(resource) || replaced.includes(resource))
      .map(({ id, resource, kind }) => ({
        storeId: id,
        resource,
        kind,
        choice: kind === 'disk' ? 'delete' : choice,
      }));
  }

  /** Updates the stack until it is settled, or refused. */
  async update({ model, version, data = 'delete', restored }: Update): Promise<Observation> {
    const compiled = await this.#compile(model);
    const document = (restored ? this.#vendor.restore?.(compiled, restored) : compiled) as OpenStackDocument;
    const releases = await this.#releases(document, data);
    const seen = await this.#until({ kind: 'settled', version }, () =>
      this.driver.apply(this.stack, {
        document,
        version,
        agentToken,
        databasePassword: new Secret('Secret123456'),
        publicKeys: new Map(['Web0'].map((flag) => [flag, publicKey])),
        releases,
      }),
    );
    this.#document = document;
    return seen;
  }

  async remove(data: DataChoice): Promise<Observation> {
    const releases = await this.#releases(null, data);
    return this.#until({ kind: 'absent' }, () =>
      this.driver.remove(this.stack, { releases, intent: 'delete 1' }),
    );
  }

  async #until(
    end: { kind: Observation['kind']; version?: string },
    step: () => Promise<unknown>,
  ): Promise<Observation> {
    for (let pass = 0; pass < 20; pass += 1) {
      await patiently(step);
      const seen = await this.#atRest();
      const isLeft = seen.kind === 'absent' && seen.leftovers;
      const isAt = end.version === undefined || ('version' in seen && seen.version === end.version);
      if (seen.kind === end.kind && isAt && !isLeft) return seen;
      if (seen.kind === 'broken') return seen;
    }
    throw new Error('Still not at rest after 20 passes.');
  }

  /** Nothing boots here, so the test reports for the agents. */
  async #report(): Promise<void> {
    const found = await readByName(this.#world.cloud, this.stack.id);
    const servers = found ? await readServers(this.#world.region, found) : [];
    const up = servers.filter(({ physicalId }) => physicalId);
    await this.driver.reportUp?.(
      this.stack,
      up.map(({ physicalId }) => ({ flag: 'Web0', instanceId: physicalId })),
    );
  }

  readonly #atRest = (): Promise<Observation> =>
    eventually(
      () =>
        patiently(async () => {
          this.#world.clock.advance(10 * pollMs);
          await this.#report();
          return this.driver.observe(this.stack);
        }),
      ({ kind }) => kind !== 'busy',
      600,
    );
}
