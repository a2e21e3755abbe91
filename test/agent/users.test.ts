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

let directory: string;
let tools: UserTools;
let lines: string[];
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ann@example.com';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'almanac-users-'));
  chmodSync(directory, 0o755);
  lines = [];
  const passwdFile = join(directory, 'passwd');
  writeFileSync(passwdFile, 'root:x:0:0:root:/root:/bin/sh\nec2-user:x:1000:1000::/home/ec2-user:/bin/sh\n');
  const { uid, gid } = userInfo();
  const add = async (name: string) => {
    mkdirSync(join(directory, name));
    appendFileSync(passwdFile, `${name}:x:${uid}:${gid}::${join(directory, name)}:/bin/sh\n`);
  };
  tools = { clock, passwdFile, add };
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const apply = (managed: string[], desired: { name: string; publicKey: string }[]) => {
  const log = createAgentLog(clock, (line) => lines.push(line));
  return applyUsers({ ...tools, log }, managed, desired);
};
const keysOf = (name: string) => readFileSync(join(directory, name, '.ssh/authorized_keys'), 'utf8');

it('creates login users, changes their keys and revokes the keys of removed users', async () => {
  const managed = await apply([], [{ name: 'ann', publicKey: key }]);
  expect(managed).toEqual(['ann']);
  expect(keysOf('ann')).toBe(`${key}\n`);
  expect(statSync(join(directory, 'ann/.ssh/authorized_keys')).mode & 0o777).toBe(0o600);

  await apply(managed, [{ name: 'ann', publicKey: `${key}2` }]);
  expect(keysOf('ann')).toBe(`${key}2\n`);
  expect(await apply(managed, [])).toEqual(['ann']);
  expect(keysOf('ann')).toBe('');
});

it.each([
  ['root', key, 'was not created by the agent'],
  ['ec2-user', key, 'was not created by the agent'],
  ['../ann', key, 'invalid user name'],
  ['ann', 'command="x" ssh-rsa AAAA', 'invalid public key'],
  ['ann', `${key}\nssh-rsa AAAA`, 'invalid public key'],
])('logs the reason and changes nothing for user %s with key %j', async (name, publicKey, reason) => {
  expect(await apply([], [{ name, publicKey }])).toEqual([]);
  expect(lines.join()).toContain(reason);
});
