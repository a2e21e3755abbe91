import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HeldRole } from '../../../src/model/decide-access.ts';
import type { Actor } from '../../../src/operations/access/access.ts';
import type { Service } from '../../../src/operations/service.ts';
import { followStacks, type StackSubscription } from '../../../src/operations/stacks/read/follow-stacks.ts';
import { summarizeStacks } from '../../../src/operations/stacks/read/summarize-stacks.ts';
import { transferStacks } from '../../../src/store/access/users.ts';
import { deleteRowsOfStack } from '../../../src/store/database/account-owned.ts';
import type { Query } from '../../../src/store/database/database.ts';
import { userActor } from '../../actors.ts';
import { eventually } from '../../http.ts';
import { World } from '../../world.ts';
import { adminRole } from '../with-role.ts';
import { revoke, signedIn } from './signed-in.ts';

let world: World;
let stackId: string;
beforeEach(async () => {
  world = await World.open();
  stackId = await world.create();
});
afterEach(() => world.close());

type Change = Parameters<StackSubscription['follower']['take']>[0][number];

/** The receiving end of a stream, which notes what it gets. */
class Reader {
  readonly nicknames: string[] = [];
  readonly deleted: string[] = [];
  heartbeats = 0;
  state: 'open' | 'ended' | 'dropped' = 'open';
  takesMore = true;

  take(changes: readonly Change[]): boolean {
    for (const change of changes)
      if (change.kind === 'stack') this.nicknames.push(change.stack.nickname);
      else if (change.kind === 'deleted') this.deleted.push(change.stackId);
      else this.heartbeats += 1;
    return this.takesMore;
  }
  heartbeat = () => {};
  end = () => void (this.state = 'ended');
  drop = () => void (this.state = 'dropped');
}

interface Opening {
  actor?: Actor;
  service?: Service;
  after?: string;
  takesMore?: boolean;
}

const until = (isMet: () => boolean) => eventually(async () => isMet(), Boolean);

/** A stream that has sent what it begins with. */
async function open({ actor, service, after, takesMore = true }: Opening = {}): Promise<Reader> {
  const reader = Object.assign(new Reader(), { takesMore });
  await followStacks(service ?? world.service, actor ?? world.actor, { after, follower: reader });
  await until(() => reader.heartbeats > 0);
  return reader;
}

/** One round of heartbeats. */
async function nextRound(reader: Reader, ms = 5_000): Promise<void> {
  const { heartbeats } = reader;
  world.clock.advance(ms);
  await until(() => reader.heartbeats > heartbeats);
}

/** Changes the stack as another server would whose notification is lost. */
const rename = (nickname: string) =>
  world.database.query
    .updateTable('stacks')
    .set({ nickname, changed_at: world.clock.now() })
    .where('id', '=', stackId)
    .execute();

const deniesStacksOf = (owner: string): HeldRole => ({
  roleId: 'denies',
  name: 'denies',
  scope: {
    version: '2017-05-05',
    statements: [{ effect: 'Deny', actions: ['*:*'], resources: ['*'], owners: [owner] }],
  },
});

const ann = (...roles: HeldRole[]): Actor =>
  userActor(world.actor.accountId, { userId: 'ann', username: 'ann' }, roles);

describe('the stream of stacks', () => {
  it('sends the deletion of a stack whose row is gone, within a minute', async () => {
    const reader = await open();
    await world.database.transaction((query) => deleteRowsOfStack(query, stackId));
    await nextRound(reader, 61_000);
    await nextRound(reader);
    await nextRound(reader, 61_000);
    await nextRound(reader);
    expect(reader.deleted).toEqual([stackId]);
  });

  it('after a list, sends a stack that changed in between and changed back', async () => {
    await rename('first');
    const early = await open();
    await nextRound(early, 120_000);
    await rename('second');
    const { cursor, stacks } = await summarizeStacks(world.service, world.actor, {});
    expect(stacks.map(({ nickname }) => nickname)).toEqual(['second']);
    await rename('first');
    expect((await open({ after: cursor })).nicknames).toEqual(['first']);
  });

  it('sends the deletion of a stack whose new owner hides it, and only to those who saw it', async () => {
    const { accountId } = world.actor;
    const reader = await open({ actor: ann(adminRole(), deniesStacksOf('bob')) });
    const other = await open({ actor: ann(adminRole(), deniesStacksOf('root'), deniesStacksOf('bob')) });
    expect([reader.nicknames.length, other.nicknames.length]).toEqual([1, 0]);
    await nextRound(reader, 20_000);
    await transferStacks(world.database.query, accountId, {
      from: 'root',
      to: 'bob',
      now: world.clock.now(),
    });
    await nextRound(reader);
    expect([reader.deleted, other.deleted]).toEqual([[stackId], []]);
  });

  it('refuses the cursor of other rights, which saw other stacks', async () => {
    const { cursor } = await summarizeStacks(world.service, ann(adminRole()), {});
    await open({ actor: ann(adminRole()), after: cursor });
    for (const actor of [ann(adminRole(), deniesStacksOf('root')), world.actor])
      await expect(open({ actor, after: cursor })).rejects.toMatchObject({
        kind: 'invalid_request',
        description: expect.stringContaining('Load the list of stacks again') as string,
      });
  });

  it('of a reader that takes nothing is dropped when its token is revoked', async () => {
    const slow = await open({ actor: await signedIn(world, 'alm_slow'), takesMore: false });
    const other = await open({ actor: await signedIn(world, 'alm_other') });
    await revoke(world, 'alm_slow');
    await revoke(world, 'alm_other');
    world.clock.advance(5_000);
    await until(() => slow.state !== 'open' && other.state !== 'open');
    expect([slow.state, other.state]).toEqual(['dropped', 'ended']);
  });

  it('gets its heartbeat while the database is slow for another account', async () => {
    const slow = slowReading(world.service);
    const first = await open({ service: slow.service });
    const other = await open({
      service: slow.service,
      actor: userActor('another', { userId: 'eve', username: 'eve' }),
    });
    const release = slow.holdNext();
    const { heartbeats } = first;
    await nextRound(other);
    expect(slow.isHolding()).toBe(true);
    release();
    await until(() => first.heartbeats > heartbeats);
  });
});

/** The same query; what is executed on it waits for the gate. */
const gated = <T extends object>(target: T, gate: Promise<void>): T =>
  new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name === 'execute') return () => gate.then(() => member.call(target) as unknown);
      return (...args: unknown[]) => gated(member.apply(target, args) as object, gate);
    },
  });

interface SlowReading {
  service: Service;
  /** Returns what releases the query. */
  holdNext: () => () => void;
  /** Whether a query waits for its release. */
  isHolding: () => boolean;
}

/** A service whose next query can be held. */
function slowReading(base: Service): SlowReading {
  let gate: Promise<void> | null = null;
  let isReleased = true;
  const database = { ...base.database };
  const query = (): Query => {
    const held = gate;
    gate = null;
    return held ? gated(base.database.query, held) : base.database.query;
  };
  Object.defineProperty(database, 'query', { get: query });
  const holdNext = () => {
    isReleased = false;
    let resolveGate = () => {};
    gate = new Promise((resolve) => {
      resolveGate = resolve;
    });
    return () => {
      isReleased = true;
      resolveGate();
    };
  };
  return { service: { ...base, database }, holdNext, isHolding: () => gate === null && !isReleased };
}
