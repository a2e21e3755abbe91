import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeAt, stepOf } from '../../../src/operations/sign-in/totp.ts';
import { login } from '../../e2e/almanac-process.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { FakePrograms, initPass } from '../session/fake-programs.ts';
import { PeopleWorld } from './world.ts';

let world: PeopleWorld;
let fakePrograms: FakePrograms;
beforeAll(async () => {
  fakePrograms = new FakePrograms(['pass', 'gpg']);
  world = await PeopleWorld.start();
});
afterAll(async () => {
  fakePrograms.close();
  await world.close();
});

it('a user enables codes, signs in with them, and the master resets them', async () => {
  const ann = await world.newUser('ann');
  const enabling = new PtySession(ann, ['otp', 'enable', '--current-password', world.passwordOf('ann')]);
  await enabling.shows('Code that the app shows: ');
  const secret = /Key: ([A-Z2-7]{32})/.exec(enabling.seen)?.[1] ?? '';
  // Real processes have the real clock; each step is accepted once, so the tests use different steps. Never the one before: it may expire.
  const codeOf = (steps: number) => codeAt(secret, stepOf(Date.now()) + steps);
  enabling.type(`${codeOf(0)}\r`);
  expect(await enabling.ended()).toBe(0);
  expect(enabling.seen).toContain('recovery_codes');
  expect(await ann.json(['otp', 'status'])).toMatchObject({ enabled: true, recovery_codes_left: 10 });

  const fresh = new AlmUser({ ALM_CREDENTIAL_STORE: 'pass', PATH: fakePrograms.path });
  initPass(fresh.home);
  const through = ['--url', world.served.server.url, '-i', login.client_id, '-s', login.client_secret];
  const credentials = [...through, '-u', 'ann', '-p', world.passwordOf('ann')];
  try {
    const prompted = new PtySession(fresh, ['login', ...credentials]);
    await prompted.shows('One-time code: ');
    prompted.type(`${codeOf(1)}\r`);
    expect(await prompted.ended()).toBe(0);
    expect(prompted.seen).toMatch(/saved in pass\. .*; then sign in again with a one-time code\./);
    const wrong = await fresh.run(['login', ...credentials, '--otp', '000000']);
    expect(wrong.code).toBe(4);
    expect(await world.root.json(['otp', 'reset', 'ann'])).toEqual({ status: 'success' });
    expect(await fresh.run(['login', ...credentials])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('and is renewed automatically.'),
    });
  } finally {
    fresh.close();
  }
});

it('a user who has enabled codes disables them with the password and a code', async () => {
  const bob = await world.newUser('bob');
  const password = ['--current-password', world.passwordOf('bob')];
  const enabling = new PtySession(bob, ['otp', 'enable', ...password]);
  await enabling.shows('Code that the app shows: ');
  const secret = /Key: ([A-Z2-7]{32})/.exec(enabling.seen)?.[1] ?? '';
  // Each step is accepted once.
  const codeOf = (steps: number) => codeAt(secret, stepOf(Date.now()) + steps);
  enabling.type(`${codeOf(0)}\r`);
  expect(await enabling.ended()).toBe(0);
  const wrong = await bob.run(['otp', 'disable', ...password, '--otp', '000000']);
  expect(wrong.code).not.toBe(0);
  expect(await bob.json(['otp', 'status'])).toMatchObject({ enabled: true });
  expect(await bob.run(['otp', 'disable', ...password, '--otp', codeOf(1)])).toMatchObject({ code: 0 });
  expect(await bob.json(['otp', 'status'])).toMatchObject({ enabled: false });
});
