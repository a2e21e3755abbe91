import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { keepCredential } from '../../src/operations/credentials/credentials.ts';
import { findCredential } from '../../src/store/access/credentials.ts';
import { findAuthUrl } from '../../src/vendors/auth-urls.ts';
import { CredentialRejected, type Driver } from '../../src/vendors/vendor.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { oneServer, World } from '../world.ts';

const [a, b] = ['https://a.example', 'https://b.example'];
const allowed = { setting: 'TEST_CLOUDS', urls: [a] as string[], moved: new Map<string, string>() };

let world: World;
/** The clouds that were called. */
let called: Set<string>;

/** The sandbox as many clouds, each with stacks of its own; as OpenStack, it calls listed ones only. */
beforeEach(async () => {
  world = await World.open();
  called = new Set();
  list([a]);
  const sandbox = world.service.vendors.get('sandbox');
  changeSandbox(world.service, {
    authUrls: allowed,
    choose: async () => {
      await duringRequest();
      return { ok: true, value: {} };
    },
    connect: (access) => {
      const cloud = findAuthUrl(allowed, access.authUrl);
      if ('reason' in cloud) return refusing(cloud.reason);
      called.add(cloud.url);
      return sandbox?.connect({ ...access, credentialId: `SANDBOX at ${cloud.url}` }) as Driver;
    },
  });
});
afterEach(() => world.close());

const list = (urls: string[], moved: [string, string][] = []): void => {
  allowed.urls = urls;
  allowed.moved = new Map(moved);
  called.clear();
};

/** What happens while the cloud is asked for a new stack. */
let duringRequest: () => Promise<unknown> = async () => undefined;
afterEach(() => {
  duringRequest = async () => undefined;
});

const refusing = (reason: string): Driver => {
  const refuse = () => Promise.reject(new CredentialRejected(reason));
  return { observe: refuse, apply: refuse, remove: refuse } as unknown as Driver;
};

const save = (authUrl: string | null) =>
  keepCredential(world.service, world.actor, {
    vendor: 'aws',
    id: 'SANDBOX',
    secret: new Secret('sandbox'),
    account: 'shop',
    cloud: { authUrl, path: 'auth_url' },
  });

const cloudOfCredential = async (): Promise<string | null | undefined> => {
  const key = { accountId: world.actor.accountId, vendor: 'aws', id: 'SANDBOX' };
  return (await findCredential(world.database.query, key))?.auth_url;
};

/** As an older server made it: neither the credential nor the stack says where it is. */
const forgetCloud = () => world.database.query.updateTable('credentials').set({ auth_url: null }).execute();

async function completeStack(): Promise<string> {
  const stack = await world.create();
  await world.settle();
  expect((await world.row(stack)).status).toBe('CREATE_COMPLETE');
  return stack;
}

async function expectUntouched(stack: string): Promise<void> {
  await world.delete(stack);
  await world.advance(300);
  expect((await world.row(stack)).status).toBe('DELETE_IN_PROGRESS');
  expect((await world.row(stack)).status_reason).toContain('TEST_CLOUDS');
  expect(called).toEqual(new Set());
  expect(Object.keys(await world.inTheCloud())).toEqual([stack]);
}

describe('a stack is never looked for in another cloud than its own', () => {
  it('the cloud of a credential that names none is stored with its first stack, so that another list does not move it', async () => {
    expect(await cloudOfCredential()).toBeNull();
    const stack = await completeStack();
    expect(await cloudOfCredential()).toBe(a);
    list([b]);
    await expectUntouched(stack);
  });

  it('the cloud is stored at the next look at a stack of an older server', async () => {
    const stack = await completeStack();
    await forgetCloud();
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(await cloudOfCredential()).toBe(a);
    list([b]);
    await expectUntouched(stack);
  });

  it('if several clouds are listed and the credential names none, none is called, and the user cannot guess one', async () => {
    const stack = await completeStack();
    await forgetCloud();
    list([b, a]);
    await expectUntouched(stack);
    for (const url of [a, b])
      await expect(save(url)).rejects.toMatchObject({
        kind: 'conflict',
        description: expect.stringContaining('list only that cloud in TEST_CLOUDS'),
      });
  });

  it.each([[[b]], [[b, a]], [[]]])(
    'with the list %j, its credential cannot be saved for another cloud',
    async (urls) => {
      const stack = await completeStack();
      list(urls);
      await expect(save(urls[0] ?? null)).rejects.toMatchObject({ kind: 'conflict' });
      expect(await cloudOfCredential()).toBe(a);
      if (!urls.includes(a)) await expectUntouched(stack);
    },
  );

  it('after its cloud is listed again, it goes on', async () => {
    const stack = await completeStack();
    list([b]);
    await expectUntouched(stack);
    list([b, a]);
    await world.advance(900);
    expect((await world.row(stack)).status).toBe('DELETE_COMPLETE');
    expect(await world.inTheCloud()).toEqual({});
    expect(called).toEqual(new Set([a]));
  });
});

describe('a credential that is saved while a stack is created with it', () => {
  it('with the only cloud, which it had without saying so, is used', async () => {
    duringRequest = () => save(a);
    await completeStack();
    expect(await cloudOfCredential()).toBe(a);
  });

  it('with another cloud rejects the stack', async () => {
    duringRequest = async () => {
      list([b]);
      await save(b);
    };
    await expect(world.create()).rejects.toThrow('was just saved for another cloud');
  });

  it('for the new address of its cloud is used', async () => {
    await save(a);
    list([b], [[a, b]]);
    duringRequest = () => save(b);
    await completeStack();
    expect(called).toEqual(new Set([b]));
  });
});
