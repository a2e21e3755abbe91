import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '../../e2e/almanac-process.ts';
import { eventually, type Json } from '../../http.ts';
import type { AlmUser } from '../alm.ts';
import { PeopleWorld } from '../people/world.ts';
import { startAlm } from './run.ts';

let world: PeopleWorld;
let root: AlmUser;
let stackId: string;
beforeAll(async () => {
  world = await PeopleWorld.start();
  root = world.root;
  stackId = await world.stack();
});
afterAll(() => world.close());

const inHome = (name: string): string => join(root.home, name);

/** Parts of the message of a failed command: headline and hints. */
async function failureOf(...args: string[]) {
  const { code, stdout, stderr } = await root.run(args);
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/\b(GET|POST|PUT|DELETE) \/v\d/);
  const lines = stderr.trimEnd().split('\n');
  const start = lines.findIndex((line) => line.startsWith('[alm]: error: '));
  const below = lines.slice(start + 1).map((line) => line.trim());
  return {
    code,
    stderr,
    headline: (lines[start] ?? '').replace('[alm]: error: ', ''),
    hints: below.filter((line) => line.startsWith('→ ')),
  };
}

describe('an error response', () => {
  it('shows the message of the service, and its description as a hint', async () => {
    const { code, headline, hints } = await failureOf('creds', 'list', '--vendor', 'gcp');
    expect(code).toBe(1);
    expect(headline).toBe('[400 Bad Request] vendor is unknown');
    expect(hints).toEqual([expect.stringMatching(/^→ The vendors are: aws, .*sandbox\.$/)]);
  });

  it('shows a message only once', async () => {
    const { code, stderr } = await failureOf('user', 'create', 'x', '--password', 'short');
    expect(code).toBe(1);
    expect(stderr.split('password must have at least 8 characters')).toHaveLength(2);
  });

  it('shows commands instead of routes', async () => {
    const v2 = ['--apiver', 'v2', '--arch', 'art_single', '--type', 't2.micro'];
    const unknown = await failureOf('stack', 'create', ...v2, '--cred', 'AKIANOBODYKNOWSIT');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('unknown credential AKIANOBODYKNOWSIT');
    expect(unknown.stderr).toContain('alm creds add');

    writeFileSync(inHome('scope.json'), '{"Version":"2017-05-05"}');
    const scope = await failureOf('rbac', 'create', '--name', 'x', '--scope', 'scope.json');
    expect(scope.code).toBe(1);
    expect(scope.stderr).toContain('Statement is required');
    expect(scope.hints.join()).toContain('alm rbac templates');

    const role = await failureOf('rbac', 'detach', '--user', 'root', '--role-id', 'admin');
    expect(role.code).toBe(6);
    expect(role.hints.join()).toContain('alm rbac describe');
  });

  it('suggests the other API version for a stack that is not found', async () => {
    const configurations = { architecture: 'art_single', type: 't2.micro', image: 'library/nginx' };
    const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
    const { body } = await world.served.server.call('POST', '/v2/alm/stack', { json });
    const { code, hints } = await failureOf('stack', 'describe', String(body.stack_id));
    expect(code).toBe(6);
    expect(hints.join()).toContain('--apiver v2');
    expect((await root.run(['stack', 'describe', String(body.stack_id), '--apiver', 'v2'])).code).toBe(0);
    const nowhere = await failureOf('stack', 'describe', 'mo-none');
    expect(nowhere.code).toBe(6);
  });
});

describe('a new secret', () => {
  const signIn = async (client_id: string, client_secret: string): Promise<number> =>
    (await world.signIn({ client_id, client_secret, username: login.username, password: login.password }))
      .status;
  type Client = { client_id: string; client_secret: string };

  it('a secret is not rotated when the output file cannot be written', async () => {
    const made = await root.json<Client>(['client', 'create', 'build server']);
    const nowhere = await root.run(['client', 'rotate', made.client_id, '--out', 'no/such/place.json']);
    expect([nowhere.code, nowhere.stdout]).toEqual([1, '']);
    expect(await signIn(made.client_id, made.client_secret)).toBe(200);

    writeFileSync(inHome('client.json'), 'old');
    chmodSync(inHome('client.json'), 0o644);
    expect((await root.run(['client', 'rotate', made.client_id, '--out', 'client.json'])).code).toBe(0);
    expect(statSync(inHome('client.json')).mode & 0o777).toBe(0o600);
    const rotated = JSON.parse(readFileSync(inHome('client.json'), 'utf8')) as Client;
    expect(await signIn(made.client_id, rotated.client_secret)).toBe(200);
    expect(await signIn(made.client_id, made.client_secret)).not.toBe(200);
  });

  it('the private key of a layer is written to a private file', async () => {
    writeFileSync(inHome('web.pem'), 'old');
    chmodSync(inHome('web.pem'), 0o644);
    for (const name of ['web.pem', 'new.pem']) {
      const { code, stdout } = await root.run(['stack', 'pem', stackId, '--out', name]);
      expect([code, stdout]).toEqual([0, '']);
      expect(readFileSync(inHome(name), 'utf8')).toMatch(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/);
      expect(statSync(inHome(name)).mode & 0o777).toBe(0o600);
    }
  });
});

describe('a detached role', () => {
  it('following events ends when the role is detached, without saying that the stack is deleted', async () => {
    const ann = await world.newUser('ann');
    const scope = {
      Version: '2017-05-05',
      Statement: [{ Effect: 'Allow', Action: ['stack:*'], Resource: ['*'] }],
    };
    writeFileSync(inHome('look.json'), JSON.stringify(scope));
    const { role_id: id } = await root.json<Json>([
      'rbac',
      'create',
      '--name',
      'look',
      '--scope',
      'look.json',
    ]);
    const named = ['--user', 'ann', '--role-id', String(id)];
    await root.json(['rbac', 'attach', ...named]);
    const following = startAlm(ann, ['stack', 'events', stackId, '--follow'], { seconds: 35 });
    await eventually(
      async () => following.stdout(),
      (seen) => seen.includes('CREATE_COMPLETE'),
    );
    await root.json(['rbac', 'detach', ...named]);
    const { code, stderr } = await following.ended;
    expect(stderr).not.toContain('is deleted');
    expect(code).toBe(6);
    expect(stderr).toContain(`Stack ${stackId} does not exist`);
    expect((await world.get(`/v3/alm/stack/${stackId}`)).stack_status).toBe('CREATE_COMPLETE');
  });
});
