import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessCaller } from '../access/access-caller.ts';
import { SshWorld } from './world.ts';

let world: SshWorld;
beforeAll(async () => {
  world = await SshWorld.start();
});
afterAll(() => world.close());

describe('a script', () => {
  it('runs on the instance and returns its output and exit code', async () => {
    const { id, privateIp } = await world.firstInstance();
    const answer = await world.run('echo out; echo err >&2; exit 3');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      instance_id: id,
      ip: expect.any(String),
      user: 'ec2-user',
      exit_code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      timed_out: false,
      duration_ms: expect.any(Number),
    });
    expect((await world.run('true', { ip: privateIp })).body.ip).toBe(privateIp);
  });

  it('may be long, contain quotes and name its own interpreter; its standard input is empty', async () => {
    const long = `# ${'x'.repeat(500_000)}\ncat; echo "it's $((6 * 7))"`;
    expect((await world.run(long)).body).toMatchObject({ exit_code: 0, stdout: "it's 42\n" });
    const node = "#!/usr/bin/env node\nconsole.log([1, 2, 3].join('-'))";
    expect((await world.run(node)).body).toMatchObject({ exit_code: 0, stdout: '1-2-3\n' });
  });

  it('leaves no file behind', async () => {
    const { body } = await world.run('echo $0');
    const file = String(body.stdout).trim();
    expect(file).toMatch(/^\/.+/);
    expect((await world.run(`test -e '${file}'`)).body.exit_code).toBe(1);
  });

  it('that a signal kills has exit code 128 plus the signal number', async () => {
    expect((await world.run('kill -9 $$')).body).toMatchObject({ exit_code: 137, timed_out: false });
  });

  it('is killed at its timeout, and its output until then is returned', async () => {
    const { body } = await world.run('echo started; sleep 60; echo never', { timeout_seconds: 1 });
    expect(body).toMatchObject({ exit_code: 124, timed_out: true, stdout: 'started\n' });
    expect(Number(body.duration_ms)).toBeLessThan(10_000);
  });

  it('with too much output has it truncated', async () => {
    const { body } = await world.run('head -c 3000000 /dev/zero | tr "\\0" x; echo end >&2');
    expect(body).toMatchObject({ exit_code: 0, truncated: true, stderr: 'end\n' });
    expect(String(body.stdout)).toHaveLength(1024 * 1024);
  });

  it('runs as the requested user', async () => {
    expect((await world.run('true', { user: 'deploy' })).body.user).toBe('deploy');
    expect(world.host.users.at(-1)).toBe('deploy');
  });
});

describe('the instance', () => {
  it('must be specified if there are several; the error lists them', async () => {
    const answer = await world.exec({ script: 'true', flag: 'web0' });
    expect(answer.status).toBe(400);
    for (const { id, privateIp } of await world.instances())
      expect(answer.body.description).toMatch(new RegExp(`${id} \\(web0, .*${privateIp}\\)`));
  });

  it('must belong to the stack: no other address is ever dialed', async () => {
    let dialed = 0;
    world.configure({
      dial: () => {
        dialed += 1;
        return Promise.reject(new Error('no'));
      },
    });
    for (const ip of ['127.0.0.1', '169.254.169.254', 'localhost', '192.0.2.1', '::1']) {
      const answer = await world.exec({ script: 'true', ip });
      expect([ip, answer.status]).toEqual([ip, 404]);
    }
    world.configure({});
    expect(dialed).toBe(0);
    expect((await world.exec({ script: 'true', instance_id: 'i-unknown' })).status).toBe(404);
    expect((await world.exec({ script: 'true', flag: 'other' })).status).toBe(404);
  });

  it('of the sandbox is not dialed, because it is simulated', async () => {
    delete world.almanac.service.ssh;
    const answer = await world.run('true');
    world.configure({});
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('The instances of vendor sandbox are simulated');
  });

  it('that cannot be reached is reported with status 502 and in the events', async () => {
    world.configure({ dial: () => Promise.reject(new Error('connect ECONNREFUSED')) });
    const answer = await world.run('true');
    world.configure({});
    expect(answer.status).toBe(502);
    expect(answer.body.message).toMatch(
      /^Instance i-\w+ cannot be reached by ssh as ec2-user@.*ECONNREFUSED$/,
    );
    expect((await world.events()).at(-1)).toMatch(
      /^root tried to run a command on instance .* and failed: Instance/,
    );
  });
});

describe('a refused script', () => {
  it.each([
    ['no script', {}],
    ['an empty script', { script: '' }],
    ['a user that is an option', { script: 'true', user: '-oProxyCommand=x' }],
    ['a user with a space', { script: 'true', user: 'a b' }],
    ['too long a timeout', { script: 'true', timeout_seconds: 100_000 }],
  ])('has %s', async (_, body) => {
    expect((await world.exec(body)).status).toBe(400);
  });

  it('comes from a caller without permission to read the key', async () => {
    const { almanac, stackId } = world;
    const master = new AccessCaller(almanac);
    const user = await master.makeUser('looker');
    const looking = { Effect: 'Allow', Action: ['stack:describeStack*'], Resource: ['*'] };
    const seeing = { Effect: 'Allow', Action: ['cred:describe*', 'vendor:describe*'], Resource: ['*'] };
    const role_id = await master.makeRole(
      'looking',
      JSON.stringify({ version: '2017-05-05', Statement: [looking, seeing] }),
    );
    await master.call('POST', '/v3/user/role', { json: { username: user.username, role_id } });
    expect((await world.exec({ script: 'true' }, user.token)).status).toBe(403);
    expect((await world.exec({ script: 'true' }, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await world.exec({ script: 'true' }, await almanac.clientToken())).status).toBe(403);
    expect((await world.exec({ script: 'true' }, await almanac.otherAccountToken())).status).toBe(404);
    expect((await almanac.call('POST', `/v3/alm/stack/${stackId}/exec`, { json: {} })).status).toBe(401);
  });

  it('exceeds the number of connections per user', async () => {
    world.configure({ maxConnections: 1 });
    const slow = world.run('sleep 1; echo done');
    const { id } = await world.firstInstance();
    await expect.poll(() => world.host.connections).toBe(1);
    const second = await world.exec({ instance_id: id, script: 'true' });
    expect(second.status).toBe(429);
    expect((await slow).body.stdout).toBe('done\n');
    expect((await world.run('true')).status).toBe(200);
    world.configure({});
  });
});

describe('after a script', () => {
  it('the audit log has the command without secrets; the events only mention it', async () => {
    await world.run(
      'export PASSWORD=topsecret1 DB_PASSWORD=topsecret1\nmysql --password topsecret1; echo "\u001b[31mrecorded"',
    );
    const [begin = '', end = ''] = (await world.auditDetails()).slice(-2);
    const { id } = await world.firstInstance();
    expect(begin).toMatch(
      new RegExp(`^runs on instance ${id} \\(ec2-user@[\\d.]+\\), SHA-256 [0-9a-f]{64}: export`),
    );
    expect(begin).toContain('PASSWORD=[redacted] DB_PASSWORD=[redacted]');
    expect(begin).toContain('echo "');
    expect(begin).not.toContain('topsecret1');
    expect(begin).not.toContain('\u001b');
    expect(end).toMatch(new RegExp(`^ran on instance ${id} .*: took [\\d.]+ s, exit code 0$`));
    const last = (await world.events()).at(-1);
    expect(last).toMatch(
      new RegExp(`^root ran a command on instance ${id} .*: it took [\\d.]+ s, exit code 0\\.$`),
    );
    expect(last).not.toContain('recorded');
    expect((await world.auditDetails()).join()).not.toContain('PRIVATE KEY');
  });

  it('no connection is left open', async () => {
    await expect.poll(() => world.host.connections).toBe(0);
  });
});
