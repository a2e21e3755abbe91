import { randomBytes } from 'node:crypto';
import { Endpoints } from '../src/basics/calls/endpoints.ts';
import { VirtualClock } from '../src/basics/clock.ts';
import { defaultLimits } from '../src/basics/config/limits.ts';
import { readConfig } from '../src/basics/config.ts';
import { sealerWithKey } from '../src/basics/secret.ts';
import type { Actor } from '../src/operations/access/access.ts';
import { HashQueue } from '../src/operations/access/hash-queue.ts';
import { FailedSignIns } from '../src/operations/audit/failed-sign-ins.ts';
import { inlineDocuments } from '../src/operations/documents/documents.ts';
import { KeyedMutex } from '../src/operations/keyed-mutex.ts';
import { RegistryEvents } from '../src/operations/registry/images/registry-events.ts';
import { RememberedPasswords } from '../src/operations/registry/sign-in/remembered-passwords.ts';
import type { Service } from '../src/operations/service.ts';
import { deleteStack } from '../src/operations/stacks/change/delete-stack.ts';
import { injectFault } from '../src/operations/stacks/change/inject-fault.ts';
import {
  type DescribedStack,
  describeStack,
  readEvents,
} from '../src/operations/stacks/read/describe-stack.ts';
import { reconcileTools } from '../src/operations/stacks/settle/reconcile-tools.ts';
import { applyTemplate, updateTemplate } from '../src/operations/stacks/submit/apply-template.ts';
import type { DataWord } from '../src/operations/stacks/submit/guard-data.ts';
import { startFirstTime } from '../src/operations/start/first-start.ts';
import { Loop } from '../src/reconcile/loop.ts';
import { reconcileStack } from '../src/reconcile/reconcile-stack.ts';
import { sweepStacks } from '../src/reconcile/sweep.ts';
import type { ReconcileTools } from '../src/reconcile/tools.ts';
import type { Database } from '../src/store/database/database.ts';
import { readMeta } from '../src/store/database/meta.ts';
import { storedSandboxCloud } from '../src/store/stacks/sandbox-cloud.ts';
import { nextDueTime } from '../src/store/stacks/schedule/claim.ts';
import { nextSweepTime } from '../src/store/stacks/schedule/sweeps.ts';
import { findStackById } from '../src/store/stacks/stacks.ts';
import type { Fault } from '../src/vendors/fault.ts';
import { makeVendors, type Vendors } from '../src/vendors/index.ts';
import { noFaults, type SandboxFaults, type SandboxStack } from '../src/vendors/sandbox/cloud.ts';
import { resourcesAt } from '../src/vendors/sandbox/timeline.ts';
import { userActor } from './actors.ts';
import { openTestDatabase } from './open-database.ts';

/** These tests do not connect to clouds. */
const withoutRealClouds = (tools: Parameters<typeof makeVendors>[0]): Vendors =>
  new Map([...makeVendors(tools)].filter(([name]) => name === 'sandbox'));

/** The whole service with a virtual clock; the sandbox is the cloud, the database is real. */
export class World {
  readonly clock: VirtualClock;
  readonly service: Service;
  readonly actor: Actor;
  readonly cloud: ReturnType<typeof storedSandboxCloud<SandboxStack, SandboxFaults>>;
  readonly errors: unknown[] = [];

  private constructor(clock: VirtualClock, service: Service, actor: Actor) {
    this.clock = clock;
    this.service = service;
    this.actor = actor;
    this.cloud = storedSandboxCloud<SandboxStack, SandboxFaults>(service.database, noFaults);
  }

  static async open(clock = new VirtualClock()): Promise<World> {
    const database = await openTestDatabase();
    const sandboxCloud = storedSandboxCloud<SandboxStack, SandboxFaults>(database, noFaults);
    const service: Service = {
      database,
      clock,
      endpoints: new Endpoints({ clock }),
      stopping: new AbortController().signal,
      documents: inlineDocuments,
      loginMutex: new KeyedMutex(),
      rememberedPasswords: new RememberedPasswords(clock),
      registryEvents: new RegistryEvents({ database, clock, stopping: new AbortController().signal }),
      hashing: new HashQueue(),
      failedSignIns: new FailedSignIns({ database, clock }, () => {}),
      sealer: sealerWithKey(randomBytes(32)),
      vendors: withoutRealClouds({
        clock,
        sandboxCloud,
        sandboxSpeed: 1,
        docker: null,
        openStack: () => ({
          baseUrl: () => 'https://almanac.test',
          pollSeconds: 5,
          countCall: () => {},
          authUrls: { setting: 'ALM_OPENSTACK_AUTH_URLS', urls: [], moved: new Map() },
        }),
        alicloud: () => ({
          baseUrl: () => 'https://almanac.test',
          pollSeconds: 5,
          countCall: () => {},
          endpoint: null,
          regions: [],
        }),
        aws: { baseUrl: () => 'https://almanac.test', pollSeconds: 5, countCall: () => {} },
      }),
      settings: {
        personalTokenDays: 366,
        passwordGrantOnV2: false,
        baseUrl: 'http://almanac.test',
        instancesByFlag: false,
        asksAboutDisks: true,
        quota: { stacks: 0, versions: 0, streams: 0, requests: 0 },
        limits: defaultLimits,
        passLimitMs: 30_000,
        registry: readConfig({}).registry,
      },
    };
    await startFirstTime(service, { clientId: null, clientSecret: null, username: 'root', password: null });
    const accountId = (await readMeta(database.query, 'first_account')) as string;
    return new World(clock, service, userActor(accountId, { userId: accountId, username: 'root' }));
  }

  get database(): Database {
    return this.service.database;
  }

  get tools(): ReconcileTools {
    return reconcileTools(this.service);
  }

  /** Another worker, as another server on the same database would run it. */
  worker(owner: string, tools: ReconcileTools = this.tools): Loop {
    return new Loop({
      database: tools.database,
      clock: this.clock,
      owner,
      reconcile: (claim) => reconcileStack(tools, claim),
      sweep: (sweep, stopping) => sweepStacks(tools, sweep, stopping),
      onInternalError: (error) => this.errors.push(error),
    });
  }

  /** Advances the clock and runs a worker until nothing is due for a minute. */
  async settle(worker: Loop = this.worker('settler')): Promise<void> {
    const end = this.clock.now() + 3_600_000;
    for (;;) {
      await worker.runDue();
      const next = await nextDueTime(this.database.query, this.clock.now());
      if (next === undefined || next - this.clock.now() > 60_000) return;
      if (next > end) throw new Error('The world does not settle.');
      this.clock.advance(Math.max(1, next - this.clock.now()));
    }
  }

  async advance(seconds: number, worker: Loop = this.worker('advancer')): Promise<void> {
    const end = this.clock.now() + seconds * 1000;
    while (this.clock.now() < end) {
      await worker.runDue();
      this.clock.advance(Math.min(await this.#untilDue(), end - this.clock.now()));
    }
    await worker.runDue();
  }

  /** Not longer than leases may hide what is due. */
  async #untilDue(): Promise<number> {
    const { query } = this.database;
    const now = this.clock.now();
    const [stack = Infinity, sweep = Infinity] = [
      await nextDueTime(query, now),
      await nextSweepTime(query, now),
    ];
    return Math.max(500, Math.min(5_000, stack - now, sweep - now));
  }

  create = async (template: object = oneServer()): Promise<string> =>
    (await applyTemplate(this.service, this.actor, { template: written(template) })).stackId;
  update = (stackId: string, template: object, word: DataWord = { servers: 'replace' }) =>
    updateTemplate(this.service, this.actor, {
      stackId,
      template: written(template),
      conditions: { fingerprint: '', ...word },
    });
  delete = (stackId: string, word: DataWord = { servers: 'replace' }) =>
    deleteStack(this.service, this.actor, {
      stackId,
      language: 'v3',
      conditions: { fingerprint: '', ...word },
    });
  describe = (stackId: string): Promise<DescribedStack> =>
    describeStack(this.service, this.actor, { stackId, language: 'v3' });
  fault = (fault: Fault, stackId?: string) =>
    injectFault(this.service, this.actor, { vendor: 'aws', credentialId: 'SANDBOX', stackId, fault });
  row = async (stackId: string) =>
    (await findStackById(this.database.query, stackId)) ?? raise(`no stack ${stackId}`);

  async story(stackId: string): Promise<string[]> {
    const events = await readEvents(this.service, this.actor, {
      stackId,
      language: 'v3',
      after: 0,
      limit: 1000,
    });
    return events.filter((event) => event.kind !== 'resource').map((event) => event.status || event.message);
  }

  /** The real content of the simulated cloud: names of resources by stack. */
  async inTheCloud(): Promise<Record<string, string[]>> {
    const rows = await this.database.query.selectFrom('sandbox_stacks').select('record').execute();
    const held = rows.map(({ record }): [string, string[]] => {
      const { stackId, base, steps } = JSON.parse(record) as SandboxStack;
      return [stackId, resourcesAt({ base, steps }, this.clock.now()).map((resource) => resource.name)];
    });
    return Object.fromEntries(held.filter(([, names]) => names.length > 0));
  }

  close = () => this.database.close();
}

/** A template as callers send it. */
export const written = (template: object) => ({ text: JSON.stringify(template), format: 'json' }) as const;

const raise = (message: string): never => {
  throw new Error(message);
};

/** The simplest template, with the given number of servers. */
export const oneServer = (instanceCount = 1, region = 'ap-northeast-1') => ({
  version: '2017-03-03',
  label: `${instanceCount} servers`,
  description: '',
  vendor: { aws: { cred: 'SANDBOX', region } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: instanceCount,
        availability_zone: `${region}a`,
      },
    },
  ],
});
