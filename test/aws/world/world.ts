import { VirtualClock } from '../../../src/basics/clock.ts';
import { type Outcome, succeed } from '../../../src/basics/problem.ts';
import { randomHex, randomText } from '../../../src/basics/random.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { awsVendor } from '../../../src/vendors/aws/vendor.ts';
import type { Release } from '../../../src/vendors/data.ts';
import type {
  Driver,
  Observation,
  StackOnVendor,
  StackView,
  Vendor,
  VendorAccess,
  VendorDocument,
} from '../../../src/vendors/vendor.ts';
import { Cloud } from './cloud.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { Simulator } from './simulator.ts';

const defaultRegion = 'ap-northeast-1';
const pollSeconds = 1;
export const agentToken = new Secret('token-of-the-agents');

export const newStack = (region = defaultRegion): StackOnVendor => {
  const accountId = randomHex(13);
  return { id: `mo-${accountId}-${randomText(9)}-tk`, accountId, region };
};

interface Parts {
  simulator: Simulator;
  proxy: FaultProxy;
  clock: VirtualClock;
}

/** The AWS vendor with a simulator, a fault proxy and a virtual clock. */
export class AwsWorld {
  readonly clock: VirtualClock;
  readonly proxy: FaultProxy;
  readonly cloud: Cloud;
  readonly vendor: Vendor;
  readonly driver: Driver;
  readonly access: VendorAccess;
  readonly #simulator: Simulator;

  private constructor({ simulator, proxy, clock }: Parts, access: Partial<VendorAccess>) {
    this.#simulator = simulator;
    this.proxy = proxy;
    this.clock = clock;
    this.cloud = new Cloud(simulator.url);
    this.vendor = awsVendor({
      clock: this.clock,
      baseUrl: () => 'https://almanac.example',
      pollSeconds,
      countCall: () => undefined,
    });
    this.access = {
      accountId: 'account',
      credentialId: 'AKIATEST',
      secret: new Secret('secret'),
      role: null,
      authUrl: null,
      ...access,
    };
    this.driver = this.vendor.connect(this.access);
  }

  /** One for each test file: the SDK reads the address from the environment. */
  static async start(starting: Promise<Simulator>): Promise<AwsWorld> {
    const simulator = await starting;
    const proxy = await FaultProxy.start(simulator.url);
    process.env.AWS_ENDPOINT_URL = proxy.url;
    return new AwsWorld({ simulator, proxy, clock: new VirtualClock(Date.now()) }, {});
  }

  /** Another user of the same cloud, with empty caches. */
  as(access: Partial<VendorAccess>): AwsWorld {
    return new AwsWorld({ simulator: this.#simulator, proxy: this.proxy, clock: this.clock }, access);
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.#simulator.stop();
  }

  async compiled(
    stack: StackOnVendor,
    model: StackModel,
    before: VendorDocument | null = null,
  ): Promise<VendorDocument> {
    const document = await this.chosen(stack, model, before);
    if (!document.ok) throw new Error(JSON.stringify(document.problems));
    return document.value;
  }

  async chosen(
    stack: StackOnVendor,
    model: StackModel,
    before: VendorDocument | null,
  ): Promise<Outcome<VendorDocument>> {
    const here = { ...model, region: stack.region };
    const choices = await this.vendor.choose?.(this.access, here, before);
    if (choices?.ok === false) return choices;
    const document = this.vendor.compile(here, stack.id, choices?.value);
    // The form in which the store returns it.
    return document.ok ? succeed(JSON.parse(JSON.stringify(document.value)) as VendorDocument) : document;
  }

  /** One choice for every store that the stack has. */
  async releases(stack: StackOnVendor, choice: DataChoice): Promise<Release[]> {
    const { stores = [] } = viewOf(await this.driver.observe(stack));
    return stores.map(({ id, resource, kind }) => ({
      storeId: id,
      resource,
      kind,
      choice: kind === 'disk' ? 'delete' : choice,
    }));
  }

  /** Expires cached reads. */
  passMoment = async (): Promise<void> => this.clock.advance(pollSeconds * 1000);

  passAll = async (cloud = this.cloud): Promise<void> => {
    await cloud.waitForStacks();
    this.clock.advance(60_000);
  };

  on(stack: StackOnVendor) {
    const { driver } = this;
    return {
      stack,
      apply: async (model: StackModel, version: string) =>
        driver.apply(stack, { document: await this.compiled(stack, model), version, agentToken }),
      remove: async (data: DataChoice = 'keep') =>
        driver.remove(stack, { releases: await this.releases(stack, data), intent: 'delete 1' }),
      observe: () => driver.observe(stack),
      view: async (): Promise<StackView> => viewOf(await driver.observe(stack)),
    };
  }
}

export function viewOf(observation: Observation): StackView {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
}
