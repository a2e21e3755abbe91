import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openMetadata } from '../../src/agent/cloud/metadata.ts';
import { readStackToken } from '../../src/agent/cloud/stack-token.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { realClock as clock } from '../../src/basics/clock.ts';
import type { Database, StackModel } from '../../src/model/stack-model.ts';
import { agentTokenSecret, databasePasswordSecret } from '../../src/vendors/alicloud/names.ts';
import { replacements } from '../../src/vendors/alicloud/preview.ts';
import { documentOf, nextDocument } from '../vendors/alicloud/compile-world.ts';
import { Double } from './world/double.ts';
import { models } from './world/models.ts';
import { createStack, deleteStack, putSecret, readStack, updateStack } from './world/ros.ts';

let double: Double;
beforeAll(async () => {
  double = await Double.start();
});
afterAll(() => double.stop());
afterEach(() => double.control('reset', {}));

const withoutStandby = (database: Database): Database => ({ ...database, multiZone: false });

/** The double takes one VSwitch for a database. With a standby there are two, as the tables of the vendor say. */
const modelOf = (name: string): StackModel => {
  const model = models[name]!;
  return { ...model, databases: model.databases.map(withoutStandby) };
};
const document = (name: string) => documentOf(modelOf(name));
const certificates = ['example.com', 'shop.example.com', 'mail.example.com'].map((commonName) => ({
  id: `certificate-of-${commonName}`,
  commonName,
}));

async function prepare(region: string): Promise<void> {
  await double.control('settings', { certificates });
  await putSecret(double, region, [databasePasswordSecret('mo-1'), 'Secret-word-1']);
}

describe('a stack on the double of ROS', () => {
  it.each(Object.keys(models))('is made from a compiled template, and deleted: %s', async (name) => {
    const { region, ...rest } = document(name);
    await prepare(region);
    const id = await createStack(double, 'alm-mo-1', { region, ...rest });
    const { status, reason, outputs } = await readStack(double, region, id);
    expect({ status, reason: status === 'CREATE_COMPLETE' ? '' : reason }).toEqual({
      status: 'CREATE_COMPLETE',
      reason: '',
    });
    for (const key of Object.keys(rest.template.Outputs)) expect(String(outputs.get(key))).toMatch(/./);
    await deleteStack(double, region, id);
    expect((await readStack(double, region, id)).status).toBe('DELETE_COMPLETE');
  });

  const updates: [string, string][] = [
    ['a group', 'a group with spot servers'],
    ['a group', 'another type'],
    ['three servers', 'another type'],
    ['three servers', 'a server without a public address'],
    ['an internal load balancer', 'a TCP listener with an HTTP check'],
    ['a database', 'a larger database'],
    ['a database with replicas', 'a larger database'],
    ['no servers', 'tags'],
  ];
  it.each(updates)(
    'is updated from %s to %s, with replacements only if the preview has some',
    async (one, other) => {
      const before = document(one);
      await prepare(before.region);
      const id = await createStack(double, 'alm-mo-1', before);
      const after = nextDocument(before, modelOf(other));
      const replaced = replacements(before.template, after.template);
      if (replaced.length > 0)
        await expect(updateStack(double, { id, mayReplace: false }, after)).rejects.toThrow(
          /^NotSupported|^Stack/,
        );
      await updateStack(double, { id, mayReplace: replaced.length > 0 }, after);
      const { status, reason } = await readStack(double, before.region, id);
      expect({ status, reason: status === 'UPDATE_COMPLETE' ? '' : reason }).toEqual({
        status: 'UPDATE_COMPLETE',
        reason: '',
      });
    },
  );
});

/** A metadata service that gives out the keys. */
async function serveKeys(keys: object): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, reply) => {
    const path = request.url ?? '';
    if (path.endsWith('/api/token')) return reply.end('session');
    return reply.end(path.endsWith('security-credentials/') ? 'role' : JSON.stringify(keys));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

describe('an agent on the double of OOS', () => {
  it('reads its token with temporary keys, and not with wrong ones', async () => {
    const region = 'ap-northeast-1';
    await putSecret(double, region, [agentTokenSecret('mo-1'), 'the-token']);
    const { Credentials } = await double.call({
      version: '2015-04-01',
      action: 'AssumeRole',
      query: {
        RoleArn: 'acs:ram::1000000000000001:role/alm-mo-1',
        RoleSessionName: 'server',
      },
    });
    const settings = parseSettings(
      JSON.stringify({
        server: 'https://almanac.test',
        stackId: 'mo-1',
        flag: '',
        tokenFrom: `oos:${agentTokenSecret('mo-1')}`,
        alicloudEndpoint: double.url,
      }),
    );
    const readWith = async (keys: object): Promise<string> => {
      const service = await serveKeys(keys);
      const metadata = openMetadata(clock, service.url, 'alicloud');
      return readStackToken(settings, { clock, metadata, region, endpoint: undefined }).finally(
        service.close,
      );
    };
    expect(await readWith(Credentials as object)).toBe('the-token');
    const forged = { ...(Credentials as object), AccessKeySecret: 'wrong' };
    await expect(readWith(forged)).rejects.toThrow('SignatureDoesNotMatch');
  });
});
