import { afterAll, beforeAll, expect, it } from 'vitest';
import { suspendAccount } from '../../../src/operations/accounts/change-account.ts';
import { TerminalClient } from '../ssh/terminal-client.ts';
import { SshWorld } from '../ssh/world.ts';

let world: SshWorld;
beforeAll(async () => {
  world = await SshWorld.start(1);
});
afterAll(() => world.close());

it('a suspension ends open terminals, and refuses tickets from before it', async () => {
  world.configure({ recheckSeconds: 0.2 });
  const open = await world.terminal();
  await open.sees('welcome');
  const { body } = await world.ticket();
  const { query } = world.almanac.service.database;
  const { id } = await query.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  await suspendAccount(world.almanac.service, id);
  expect(await open.closes()).toBe(1011);
  expect(open.texts.join()).toContain('no longer valid');
  const late = await TerminalClient.open(world.almanac.url + String(body.url));
  expect(await late.closes()).toBe(1011);
  expect(late.shown).toBe('');
});
