import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveForAlm } from '../alm.ts';
import { makeShop, offeredTo, wordsOf } from './offered.ts';

let served: Served;
let stackId: string;

beforeAll(async () => {
  served = await serveForAlm();
  stackId = await makeShop(served);
});

afterAll(() => served.close());

const offered = offeredTo(() => served.root);

describe('completion of names from the service', () => {
  it('completes the versions of the given stack, newest first', async () => {
    const [version] = await served.root.json<{ version_id: string }[]>([
      'template',
      'versions',
      '--id',
      stackId,
      '--fmt',
      'json',
    ]);
    const id = String(version?.version_id);
    for (const words of [
      ['template', 'describe', stackId, ''],
      ['stack', 'rollback', '--id', stackId, '--ver', ''],
      ['template', 'compare', '--src-sid', stackId, '--src-vid', ''],
      ['template', 'compare', '--src-sid', stackId, '--tgt-vid', ''],
      ['template', 'compare', '--src-sid', 'mo-other', '--tgt-sid', stackId, '--tgt-vid', ''],
    ])
      expect(wordsOf(await offered(words))).toEqual([id]);
    expect(await offered(['stack', 'rollback', '--ver', ''])).toEqual([]);
    expect(await offered(['template', 'compare', '--src-sid', 'mo-other', '--src-vid', ''])).toEqual([]);
  });

  it('completes nicknames, and the values of a stack that is named by its nickname', async () => {
    expect(wordsOf(await offered(['stack', 'describe', 'sh']))).toEqual(['shop']);
    expect(wordsOf(await offered(['stack', 'describe', '--id=sh']))).toEqual(['--id=shop']);
    expect(wordsOf(await offered(['stack', 'describe', 'mo']))).toEqual([stackId]);
    expect(wordsOf(await offered(['stack', 'ssh', 'shop', '--flag', '']))).toEqual(['Web01']);
  });

  it('completes the layers, instances and addresses of the given stack', async () => {
    expect(wordsOf(await offered(['stack', 'ssh', stackId, '--flag', '']))).toEqual(['Web01']);
    expect(wordsOf(await offered(['stack', 'pem', stackId, '']))).toEqual(['Web01']);
    const [instance] = await offered(['stack', 'forget-host-key', stackId, '']);
    expect(instance).toMatch(/^i-\S+\tWeb01, running$/);
    const [address] = await offered(['stack', 'ssh', stackId, '--ip', '']);
    expect(address).toMatch(/^10\.[\d.]+\tWeb01, i-/);
    expect(await offered(['stack', 'ssh', '--flag', ''])).toEqual([]);
  });

  it('completes the layers of a v2 stack', async () => {
    const env = { ALM_API_VERSION: 'v2' };
    const config = ['--cred', 'SANDBOX', '--vendor', 'sandbox', '--nickname', 'old'];
    const { stack_id: id } = await served.root.json<{ stack_id: string }>(
      ['stack', 'create', ...config, '--wait'],
      { env },
    );
    expect(wordsOf(await offered(['stack', 'ssh', id, '--flag', ''], { env }))).toEqual(['web']);
    await served.root.run(['stack', 'delete', id, '--wait'], { env });
  });

  it('completes users, roles and API clients', async () => {
    await served.root.json([
      'user',
      'create',
      'ann',
      '--password',
      'a long enough one',
      '--email',
      'ann@example.com',
    ]);
    expect(await offered(['user', 'delete', 'a'])).toEqual(['ann\tann@example.com']);
    expect(await offered(['rbac', 'attach', '--user', 'a'])).toEqual(['ann\tann@example.com']);
    expect(await offered(['user', 'create', 'a'])).toEqual([]);
    expect(await offered(['rbac', 'attach', '--role-id', ''])).toEqual([
      expect.stringMatching(/^admin\tManagement/),
    ]);
    const [client] = await served.root.json<{ client_id: string }[]>(['client', 'list', '--fmt', 'json']);
    expect(wordsOf(await offered(['client', 'delete', '']))).toContain(client?.client_id);
  });
});
