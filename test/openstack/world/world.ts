import { VirtualClock } from '../../../src/basics/clock.ts';
import { randomHex, randomText } from '../../../src/basics/random.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { type Client, makeClient } from '../../../src/vendors/openstack/client.ts';
import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { connect } from '../../../src/vendors/openstack/driver.ts';
import { makeRegion, type Region } from '../../../src/vendors/openstack/region.ts';
import type { Fetch } from '../../../src/vendors/openstack/rest/transport.ts';
import type { CloudAccess } from '../../../src/vendors/openstack/session.ts';
import type { Driver, StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import { eventually } from '../../http.ts';
import { releasesOf } from './releases.ts';
import { rig } from './rig.ts';

export const pollMs = 1000;
export const agentToken = new Secret('token-of-the-agents');

const newStack = (): StackOnVendor => {
  const accountId = randomHex(13);
  return { id: `mo-${accountId}-${randomText(9)}-tk`, accountId, region: rig.region };
};

interface Options {
  user?: string;
  dialect?: 'openstack' | 'k5';
  /** Stands between Almanac and the cloud. */
  fetch?: Fetch;
}

/** One stack of Heat, as the cloud itself lists it. */
export interface Listed {
  id: string;
  stack_name: string;
  stack_status: string;
  stack_status_reason: string;
  tags: string[] | null;
}

/** The OpenStack driver on the rig, with a virtual clock. */
export class OpenStackWorld {
  readonly clock = new VirtualClock(Date.now());
  /** For looking at the cloud itself. */
  readonly cloud: Client;
  readonly region: Region;
  readonly driver: Driver;
  readonly access: CloudAccess;
  readonly calls: string[] = [];
  readonly #stacks: StackOnVendor[] = [];

  constructor({ user = 'demo', dialect = 'openstack', fetch = globalThis.fetch }: Options = {}) {
    this.access = {
      authUrl: rig.authUrl,
      credentialId: `${user}@Default/${user}`,
      secret: new Secret(rig.password),
    };
    const parts = { access: this.access, region: rig.region, clock: this.clock };
    this.cloud = makeClient({ ...parts, countCall: () => undefined });
    const countCall = (service: string, method: string) => void this.calls.push(`${service} ${method}`);
    const client = makeClient({ ...parts, countCall, fetch });
    this.region = makeRegion({ client, clock: this.clock, dialect: dialects[dialect], pollMs });
    this.driver = connect(() => this.region, dialects[dialect]);
  }

  newStack = (): StackOnVendor => {
    const stack = newStack();
    this.#stacks.push(stack);
    return stack;
  };

  apply = (stack: StackOnVendor, document: VendorDocument, version: string) =>
    this.driver.apply(stack, { document, version, agentToken });
  /** Releases all that there is. */
  remove = async (stack: StackOnVendor) =>
    this.driver.remove(stack, {
      releases: await releasesOf(this.driver, stack, 'delete'),
      intent: 'delete 1',
    });

  /** The stacks of a name that Heat lists, whatever the driver says. */
  async listed({ id }: StackOnVendor): Promise<readonly Listed[]> {
    const path = `/stacks?name=${id}`;
    return (await this.cloud.read<{ stacks: Listed[] }>({ service: 'orchestration', path })).stacks;
  }

  /** Waits until Heat rests on a stack, and expires cached reads. */
  async atRest(stack: StackOnVendor): Promise<string> {
    const stacks = await eventually(
      () => this.listed(stack),
      (found) => !found.some(({ stack_status: status }) => /_IN_PROGRESS$|^DELETE_COMPLETE$/.test(status)),
    );
    this.clock.advance(60_000);
    return stacks[0]?.stack_status ?? 'absent';
  }

  /** Expires cached reads. */
  passMoment = async (): Promise<void> => this.clock.advance(pollMs);
  passAll = async (): Promise<void> => {
    for (const stack of this.#stacks) await this.atRest(stack);
  };

  /** Deletes what the tests left. */
  async close(): Promise<void> {
    for (const stack of this.#stacks)
      for (const { id } of await this.listed(stack))
        await this.cloud.change({
          service: 'orchestration',
          method: 'DELETE',
          path: `/stacks/${stack.id}/${id}`,
        });
    await this.passAll();
  }
}
