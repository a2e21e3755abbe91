import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedFor } from '../../../src/operations/service.ts';
import { readMeta } from '../../../src/store/database/meta.ts';
import { findSecret } from '../../../src/store/secrets/secrets.ts';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

/** The value that the server has. */
async function valueOf(name: string): Promise<string | undefined> {
  const { database, sealer } = almanac.service;
  const accountId = (await readMeta(database.query, 'first_account')) ?? '';
  const row = await findSecret(database.query, { accountId, name });
  return row && sealer.unseal(row.sealed_value, sealedFor.accountSecret(accountId, name)).reveal();
}

describe('alm secret set', () => {
  it.each([
    ['a line, without its end', 'correct horse\n', 'correct horse'],
    ['a line of another system, without its end', 'correct horse\r\n', 'correct horse'],
    ['a text of several lines as it is', 'line 1\nline 2\n', 'line 1\nline 2\n'],
    ['white space around a value', '  spaced  ', '  spaced  '],
  ])('takes %s, from standard input and from a file', async (_, input, expected) => {
    expect(await root.run(['secret', 'set', 'piped'], { input })).toMatchObject({ code: 0 });
    expect(await valueOf('piped')).toBe(expected);
    writeFileSync(join(root.home, 'value'), input);
    const ended = await root.run(['secret', 'set', 'filed', '--value-file', 'value']);
    expect(ended).toMatchObject({ code: 0 });
    expect(await valueOf('filed')).toBe(expected);
    expect(ended.stdout + ended.stderr).not.toContain(expected.trim());
  });

  it('asks twice on a terminal, without showing the value', async () => {
    const session = new PtySession(root, ['secret', 'set', 'typed']);
    await session.shows('Value of typed: ');
    session.type('hunter2-typed\r');
    await session.shows('Value of typed again: ');
    session.type('hunter2-typed\r');
    expect(await session.ended()).toBe(0);
    expect(session.seen).not.toContain('hunter2-typed');
    expect(await valueOf('typed')).toBe('hunter2-typed');
  });

  it('sends nothing if the input is empty or not text', async () => {
    expect(await root.run(['secret', 'set', 'none'], { input: '\n' })).toMatchObject({ code: 2 });
    writeFileSync(join(root.home, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    const ended = await root.run(['secret', 'set', 'none', '--value-file', 'binary']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('base64');
    expect(await valueOf('none')).toBeUndefined();
  });

  it('takes no value as an argument', async () => {
    expect(await root.run(['secret', 'set', 'none', 'hunter2'])).toMatchObject({ code: 2 });
    expect(await valueOf('none')).toBeUndefined();
  });
});

describe('a secret that a stack uses', () => {
  it('is listed with the stack, deployed again after a change, and not deleted', async () => {
    await root.run(['secret', 'set', 'used'], { input: 'one' });
    const stackId = await almanac.applyTemplate({
      version: '2017-03-03',
      nickname: 'shop',
      vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
      configurations: [
        {
          role: 'web',
          flag: 'web0',
          provision: { availability_zone: 'ap-northeast-1a' },
          container: { container_image: 'shop/web:1', container_secrets: { PASSWORD: 'used' } },
        },
      ],
    });
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    expect((await root.run(['secret', 'list'])).stdout).toMatch(/used +1 +root .*shop/);
    const changed = await root.run(['secret', 'set', 'used'], { input: 'two' });
    expect(changed.stderr).toContain(`${stackId} is deployed again. Follow it: alm rollout watch ${stackId}`);
    expect((await root.run(['rollout', 'list', stackId])).stdout).toContain('Secret used changed.');
    const again = await root.run(['secret', 'set', 'used'], { input: 'two' });
    expect(again.stderr).toContain('used has this value already.');
    const refused = await root.run(['secret', 'delete', 'used', '--yes']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(`Secret used is in use by shop (${stackId})`);
  });
});

it('alm secret delete removes a secret that nothing uses', async () => {
  await root.run(['secret', 'set', 'unused'], { input: 'one' });
  expect(await root.run(['secret', 'delete', 'unused', '--yes'])).toMatchObject({ code: 0 });
  expect(await valueOf('unused')).toBeUndefined();
});
