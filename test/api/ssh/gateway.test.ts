import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/operations/accounts/create-account.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { first, type Json } from '../served-almanac.ts';
import { TerminalClient } from './terminal-client.ts';
import { SshWorld } from './world.ts';

let world: SshWorld;
let key: string;
beforeAll(async () => {
  world = await SshWorld.start(1);
  key = String((await signIn(first.username, first.password)).body.key);
});
afterAll(() => world.close());

/** Like existing clients, sends JSON without a content type. */
const post = (path: string, body: object, token?: string) =>
  world.almanac.call('POST', path, { raw: JSON.stringify(body), ...(token ? { token } : {}) });
const signIn = (username: string, passwd: string, more: object = {}) =>
  post('/token', { username, passwd, ...more });
const base64 = (text: string) => Buffer.from(text).toString('base64');

const keyLink = async () =>
  String((await world.call('GET', `/v3/alm/pem?stack_id=${world.stackId}`)).body.data);
const run = async (script: string, more: object = {}, token = key) => {
  const { privateIp: ip } = await world.firstInstance();
  const target = { stack_id: world.stackId, ip, vm_user: 'ec2-user', flag: 'web0', pem_url: await keyLink() };
  return post('/exec', { target: { ...target, ...more }, script: base64(script) }, token);
};
const ttyUrl = async (more: object = {}, token = key) => {
  const { privateIp: ip } = await world.firstInstance();
  const body = {
    stackid: world.stackId,
    ip,
    flag: 'web0',
    user: 'ec2-user',
    timeout: '60',
    pem: await keyLink(),
  };
  return post('/ttyurl', { ...body, ...more }, token);
};

describe('signing in at the gateway', () => {
  it('returns a map of strings with a valid access token as key', async () => {
    const answer = await signIn(first.username, first.password);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({ key: expect.any(String) });
    const own = await world.almanac.call<Json[]>('GET', '/v3/token', { token: String(answer.body.key) });
    expect(own.body).toContainEqual(expect.objectContaining({ client_id: 'gateway' }));
  });

  it('refuses a wrong password, an unknown name and a password hash, and throttles guesses', async () => {
    const refused = await signIn(first.username, 'wrong');
    expect(refused.status).toBe(401);
    expect(refused.body.message).toBe('credentials validation failed');
    expect((await signIn('no-such-user', 'wrong')).status).toBe(401);
    expect((await signIn(first.username, 'x', { grant_type: 'hashpassword' })).status).toBe(400);
    expect((await post('/token', { username: 'x' })).status).toBe(400);
    for (let guess = 0; guess < 5; guess += 1) await signIn('guessed', 'wrong');
    expect((await signIn('guessed', 'wrong')).status).toBe(429);
  });

  it('a name without an account means the user of the first account; others name their account', async () => {
    const { service } = world.almanac;
    const passwords = [];
    for (const name of ['Second', 'Third']) {
      const made = await createAccount(service, { name, username: 'chief', password: null });
      passwords.push([made.id, made.credentials.password.reveal()] as const);
    }
    expect((await signIn('root', first.password)).status).toBe(200);
    for (const [id, password] of passwords) {
      expect((await signIn('root', password)).status).toBe(401);
      expect((await signIn('chief', password)).status).toBe(401);
      expect((await signIn(`${id}.chief`, password)).status).toBe(200);
    }
    const account = (await world.almanac.describe(world.stackId)).user_id;
    expect((await signIn(`${String(account)}.root`, first.password)).status).toBe(200);
    expect((await signIn(`${'0'.repeat(13)}.root`, first.password)).status).toBe(401);
  });
});

describe('a command through the gateway', () => {
  it('returns its output in base64, as exactly one entry', async () => {
    const answer = await run('echo out; echo err >&2; exit 1');
    const { privateIp: ip } = await world.firstInstance();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      stack_id: world.stackId,
      outputs: [{ ip, out: base64('out\nerr\n'), err: null }],
    });
    expect((await world.auditDetails()).at(-1)).toContain('exit code 1');
  });

  it('is refused for invalid users and scripts that are not base64', async () => {
    expect((await run('true', { vm_user: 'a;id' })).status).toBe(400);
    const target = { stack_id: world.stackId };
    expect((await post('/exec', { target, script: '%%%' }, key)).status).toBe(400);
    expect((await post('/exec', { target, script: base64('echo short form') }, key)).status).toBe(200);
  });

  it('a script of white space takes time in proportion to its length, and its stack is checked first', async () => {
    const hostile = `A${' '.repeat(60_000)}!`;
    const start = process.cpuUsage();
    const refused = await post('/exec', { target: { stack_id: world.stackId }, script: hostile }, key);
    const { user } = process.cpuUsage(start);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('script must be base64-encoded');
    expect(user / 1000).toBeLessThan(1000);
    const unknown = await post('/exec', { target: { stack_id: 'mo-unknown' }, script: hostile }, key);
    const [output] = unknown.body.outputs as { out: string }[];
    expect(Buffer.from(output?.out ?? '', 'base64').toString()).toContain('Stack mo-unknown does not exist');
  });

  it('a script may be written in lines, with white space around it', async () => {
    const encoded = base64(`echo ${'lines '.repeat(30)}`);
    const script = `\n ${encoded.replace(/.{76}/g, '$&\r\n')}\n`;
    const { body } = await post('/exec', { target: { stack_id: world.stackId }, script }, key);
    const [output] = body.outputs as { out: string }[];
    expect(Buffer.from(output?.out ?? '', 'base64').toString()).toContain('lines lines');
  });

  it('a target that fails is a success whose only output is the error, so that clients continue with the others', async () => {
    const { privateIp: ip } = await world.firstInstance();
    await expect.poll(() => world.host.connections).toBe(0);
    const failing: [object, string][] = [
      [{ ip: '169.254.169.254' }, 'has no running instance 169.254.169.254'],
      [{ pem_url: 'http://169.254.169.254/latest/' }, 'The URL of the key is not a URL of this service'],
      [{ stack_id: 'mo-unknown' }, 'Stack mo-unknown does not exist'],
    ];
    for (const [target, error] of failing) {
      const { status, body } = await run('true', target);
      const { outputs } = body as { outputs: { ip: string; out: string; err: null }[] };
      expect({ status, count: outputs.length, err: outputs[0]?.err }).toEqual({
        status: 200,
        count: 1,
        err: null,
      });
      expect(Buffer.from(outputs[0]?.out ?? '', 'base64').toString()).toContain(`error: `);
      expect(Buffer.from(outputs[0]?.out ?? '', 'base64').toString()).toContain(error);
    }
    expect(world.host.connections).toBe(0);
    const next = await run('echo next');
    expect(next.body.outputs).toEqual([{ ip, out: base64('next\n'), err: null }]);
  });

  it('is refused without a valid token and without permission', async () => {
    const { almanac, stackId } = world;
    const user = await new AccessCaller(almanac).makeUser('without-role');
    expect((await run('true', {}, 'made-up')).status).toBe(401);
    const before = world.host.connections;
    for (const token of [user.token, await almanac.otherAccountToken()]) {
      const { body } = await run('true', {}, token);
      const [output] = body.outputs as { out: string }[];
      expect(Buffer.from(output?.out ?? '', 'base64').toString()).toBe(
        `error: Stack ${stackId} does not exist\n`,
      );
    }
    expect(world.host.connections).toBe(before);
    const { body: log } = await world.call('GET', '/v3/audit?limit=50');
    expect(log).toContainEqual(
      expect.objectContaining({ actor: 'without-role', decision: 'denied', status: 403 }),
    );
    expect((await run('true', {}, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await ttyUrl({}, 'made-up')).status).toBe(401);
    expect((await ttyUrl({}, user.token)).status).toBe(404);
    expect((await ttyUrl({}, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await ttyUrl({ pem: 'https://elsewhere.example/key' })).status).toBe(400);
    expect((await ttyUrl({ ip: '192.0.2.9' })).status).toBe(404);
  });
});

describe('a terminal through the gateway', () => {
  const open = async (authToken?: string) => {
    const address = String((await ttyUrl()).body.tty_url);
    const script = await (await fetch(`${address}auth_token.js`)).text();
    const expected = /var gotty_auth_token = '(\w+)'/.exec(script)?.[1];
    const client = await TerminalClient.open(`${address}ws`);
    client.sendJson({ Arguments: '?x=y', AuthToken: authToken ?? expected });
    return { address, client };
  };
  const shown = ({ texts }: TerminalClient) =>
    texts
      .filter((frame) => frame.startsWith('0'))
      .map((frame) => Buffer.from(frame.slice(1), 'base64').toString());

  it('uses the frames that existing clients expect', async () => {
    const { address, client } = await open();
    expect(address).toMatch(/\/tty\/\w{43}\/$/);
    await client.receives('2'); // the title
    client.socket.send('2{"columns":90,"rows":25}');
    client.socket.send('0echo $((6 * 7))\n');
    client.socket.send('1');
    await expect.poll(() => shown(client).join('')).toMatch(/size 90x25[^]*42/);
    expect(client.texts).toContain('1');
    client.socket.send('0exit 3\n');
    expect(await client.closes()).toBe(1000);
    expect(shown(client).at(-1)).toContain('exit code 3');
    await expect(TerminalClient.open(`${address}ws`)).rejects.toThrow('refused with 401');
  });

  it('is not opened with a wrong token', async () => {
    const before = world.host.connections;
    const { client } = await open('wrong');
    expect(await client.closes()).toBe(1008);
    expect(world.host.connections).toBe(before);
  });

  it('can be opened in a browser at the same URL', async () => {
    const address = String((await ttyUrl()).body.tty_url);
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('the gateway', () => {
  it('answers GET and POST on /', async () => {
    expect((await world.almanac.call('GET', '/')).text).toContain('/docs');
    const posted = await world.almanac.call('POST', '/');
    expect([posted.status, posted.text]).toEqual([200, '']);
  });
});
