import ssh2 from 'ssh2';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutKeyPairs } from '../../stand-in-vendor.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
let publicKey: string | undefined;
beforeAll(async () => {
  const received = withoutKeyPairs(almanac.service);
  stackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  publicKey = received.get(stackId)?.at(-1)?.['web0'];
});

const ask = async (version: string, token: Promise<string>): Promise<string> => {
  const answer = await almanac.call('GET', `/${version}/alm/pem?stack_id=${stackId}`, { token: await token });
  expect(answer.status).toBe(200);
  return (await fetch(String(answer.body.data))).text();
};
const publicHalf = (privateKey: string): string => {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString('base64')} ${key.comment}`;
};

describe('a private key that Almanac made', () => {
  it('is downloaded with a link, and the download is in the audit log', async () => {
    expect(publicHalf(await ask('v3', almanac.userToken()))).toBe(publicKey);
    const entries = await almanac.call<Json[]>(
      'GET',
      `/v3/audit?limit=1000&resource=mrn:alm:stack:${stackId}`,
      { token: await almanac.userToken() },
    );
    expect(entries.body.find(({ route }) => route === 'v3ReadKey')).toMatchObject({
      actor: 'root',
      action: 'stack:describePem',
      detail: 'downloaded the private key of layer web0 with a link, without a token',
    });
    expect(entries.text).not.toContain('PRIVATE KEY-----');
  });

  it('is downloaded on /v2 for v2 stacks', async () => {
    const { query } = almanac.service.database;
    await query.updateTable('stacks').set({ language: 'v2' }).where('id', '=', stackId).execute();
    expect(publicHalf(await ask('v2', almanac.clientToken()))).toBe(publicKey);
    await query.updateTable('stacks').set({ language: 'v3' }).where('id', '=', stackId).execute();
  });
});
