import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAgentLog } from '../../src/agent/log.ts';
import { applyUsers, type UserTools } from '../../src/agent/service/users.ts';
import { realClock as clock } from '../../src/basics/clock.ts';

let place: string;
let tools: UserTools;
let lines: string[];
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ann@example.com';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'almanac-users-'));
  chmodSync(place, 0o755);
  lines = [];
  const passwdFile = join(place, 'passwd');
  writeFileSync(passwdFile, 'root:x:0:0:root:/root:/bin/sh\nec2-user:x:1000:1000::/home/ec2-user:/bin/sh\n');
  const { uid, gid } = userInfo();
  const add = async (name: string) => {
    mkdirSync(join(place, name));
    appendFileSync(passwdFile, `${name}:x:${uid}:${gid}::${join(place, name)}:/bin/sh\n`);
  };
  tools = { clock, passwdFile, add };
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const apply = (managed: string[], wanted: { name: string; publicKey: string }[]) =>
  applyUsers(
    tools,
    createAgentLog(clock, (line) => lines.push(line)),
    managed,
    wanted,
  );
const keysOf = (name: string) => readFileSync(join(place, name, '.ssh/authorized_keys'), 'utf8');

it('makes login users, changes their keys and locks out those no longer wanted', async () => {
  const managed = await apply([], [{ name: 'ann', publicKey: key }]);
  expect(managed).toEqual(['ann']);
  expect(keysOf('ann')).toBe(`${key}\n`);
  expect(statSync(join(place, 'ann/.ssh/authorized_keys')).mode & 0o777).toBe(0o600);

  await apply(managed, [{ name: 'ann', publicKey: `${key}2` }]);
  expect(keysOf('ann')).toBe(`${key}2\n`);
  expect(await apply(managed, [])).toEqual(['ann']);
  expect(keysOf('ann')).toBe('');
});

it.each([
  ['root', key, 'belongs to the system'],
  ['ec2-user', key, 'belongs to the system'],
  ['../ann', key, 'not one of a login user'],
  ['ann', 'command="x" ssh-rsa AAAA', 'not a public key of one line'],
  ['ann', `${key}\nssh-rsa AAAA`, 'not a public key of one line'],
])('leaves %s with %j as it is and says so', async (name, publicKey, reason) => {
  expect(await apply([], [{ name, publicKey }])).toEqual([]);
  expect(lines.join()).toContain(reason);
});
