import { VirtualClock } from '../../../src/basics/clock.ts';
import { type Outcome, succeed } from '../../../src/basics/problem.ts';
import { randomHex, randomText } from '../../../src/basics/random.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { alicloudVendor } from '../../../src/vendors/alicloud/vendor.ts';
import type { ObservedStore, Release } from '../../../src/vendors/data.ts';
import {
  type Driver,
  type Observation,
  type StackOnVendor,
  type StackView,
  Unreachable,
  type Vendor,
  type VendorAccess,
  type VendorDocument,
} from '../../../src/vendors/vendor.ts';
import { Backups } from './backups.ts';
import { Double } from './double.ts';
import { Relay } from './relay.ts';

export const region = 'ap-northeast-1';
const defaultPollSeconds = 1;
export const agentToken = new Secret('token-of-the-agents');
export const databasePassword = new Secret('Password-of-databases-1');

export const newStack = (inRegion = region): StackOnVendor => {
  const accountId = randomHex(13);
  return { id: `mo-${accountId}-${randomText(9)}-tk`, accountId, region: inRegion };
};

/** The stores of each stack when it was observed last, by any server. */
const lastStores = new Map<string, readonly ObservedStore[]>();

/** What a caller says about the data of a stack. */
type Word = DataChoice | 'nothing';

function releasesOf(stackId: string, word: Word): Release[] {
  if (word === 'nothing') return [];
  const stores = lastStores.get(stackId) ?? [];
  return stores.map(({ id, resource, kind }) => ({ storeId: id, resource, kind, choice: word }));
}

interface Parts {
  double: Double;
  relay: Relay;
  backups: Backups;
  clock: VirtualClock;
  pollSeconds: number;
}

/** The vendor with the real SDK, the double of ROS and a virtual clock. */
export class AlicloudWorld {
  readonly double: Double;
  readonly #relay: Relay;
  /** Not played by the double, but by a stand-in of the tests. */
  readonly backups: Backups;
  readonly clock: VirtualClock;
  readonly vendor: Vendor;
  readonly access: VendorAccess;
  readonly driver: Driver;
  /** Every call sent, with the time on the clock. */
  readonly sent: { call: string; at: number }[] = [];

  private constructor(parts: Parts, access: Partial<VendorAccess>) {
    const { double, relay, backups, clock, pollSeconds } = parts;
    this.double = double;
    this.#relay = relay;
    this.backups = backups;
    this.clock = clock;
    this.vendor = alicloudVendor('alicloud', {
      clock,
      baseUrl: () => 'https://almanac.example',
      pollSeconds,
      countCall: (service, action) => this.sent.push({ call: `${service}.${action}`, at: clock.now() }),
      endpoint: relay.url,
      regions: [],
    });
    const { accessKeyId, secretAccessKey } = double.keys;
    this.access = {
      accountId: 'account',
      credentialId: accessKeyId,
      secret: new Secret(secretAccessKey),
      role: null,
      authUrl: null,
      ...access,
    };
    this.driver = this.vendor.connect(this.access);
  }

  static async start(): Promise<AlicloudWorld> {
    const double = await Double.start();
    await double.control('settings', { vpcQuota: 1000 });
    const relay = await Relay.start(double.url);
    const clock = new VirtualClock(Date.now());
    const backups = new Backups(double, relay, clock);
    return new AlicloudWorld({ double, relay, backups, clock, pollSeconds: defaultPollSeconds }, {});
  }

  /** Another server, or another user, of the same cloud: it knows nothing. */
  as(access: Partial<VendorAccess> = {}, pollSeconds = defaultPollSeconds): AlicloudWorld {
    const { double, backups, clock } = this;
    return new AlicloudWorld({ double, relay: this.#relay, backups, clock, pollSeconds }, access);
  }

  /** A cloud without stacks and backups. */
  reset = async (): Promise<void> => {
    await this.double.control('reset', {});
    this.backups.forget();
  };

  close = async (): Promise<void> => {
    await this.#relay.close();
    await this.double.stop();
  };

  /** What the vendor makes of a model, in the form in which the store returns it. */
  async offered(
    stack: StackOnVendor,
    model: StackModel,
    before: VendorDocument | null = null,
  ): Promise<Outcome<VendorDocument>> {
    const here = { ...model, region: stack.region };
    const choices = await this.vendor.choose?.(this.access, here, before);
    if (choices?.ok === false) return choices;
    const document = this.vendor.compile(here, stack.id, choices?.value);
    return document.ok ? succeed(JSON.parse(JSON.stringify(document.value)) as VendorDocument) : document;
  }

  async compiled(...offer: Parameters<AlicloudWorld['offered']>): Promise<VendorDocument> {
    const document = await this.offered(...offer);
    if (!document.ok) throw new Error(JSON.stringify(document.problems));
    return document.value;
  }

  /** Expires cached reads, and gives calls that wait their turn. */
  passMoment = async (): Promise<void> => this.clock.advance(defaultPollSeconds * 1000);

  /** Ends all work of the double. */
  passAll = async (): Promise<void> => {
    await this.double.control('advance', { settle: true });
    this.clock.advance(120_000);
  };

  /** `remove` and `apply` release every store that was seen last, unless they get another word. */
  on(stack: StackOnVendor) {
    const { driver } = this;
    /** As the reconciler observes. */
    const observe = async (): Promise<Observation> => {
      try {
        const seen = await driver.observe(stack);
        if (seen.kind !== 'unreachable') lastStores.set(stack.id, seen.view.stores ?? []);
        return seen;
      } catch (cause) {
        if (cause instanceof Unreachable) return { kind: 'unreachable', reason: cause.message };
        throw cause;
      }
    };
    return {
      stack,
      observe,
      apply: async (model: StackModel, version: string, data: Word = 'delete') => {
        const document = await this.compiled(stack, model);
        const releases = releasesOf(stack.id, data);
        return driver.apply(stack, { document, version, agentToken, databasePassword, releases });
      },
      remove: (data: Word = 'delete', intent = 'delete 1') =>
        driver.remove(stack, { releases: releasesOf(stack.id, data), intent }),
      view: async (): Promise<StackView> => viewOf(await observe()),
    };
  }
}

export function viewOf(observation: Observation): StackView {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
}
