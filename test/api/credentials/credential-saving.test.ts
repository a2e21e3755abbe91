import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { keepCredential } from '../../../src/operations/credentials/credentials.ts';
import { refused, Unreachable, type Vendor } from '../../../src/vendors/vendor.ts';
import { clientActor } from '../../actors.ts';
import { oneServer } from '../../world.ts';
import { type Request, recordLog, useServedAlmanac } from '../served-almanac.ts';
import { CredentialCaller, keyOf } from './credential-caller.ts';

const { log, lines: logged } = recordLog();
const almanac = useServedAlmanac({ log });
const caller = new CredentialCaller(almanac);

describe('saving a credential', () => {
  it('a saved key is sealed and listed without its secret', async () => {
    const answer = await caller.save(keyOf('AKIA1', 'hush-1'));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'success',
      verified: 'Saved, but the vendor could not be reached to check the key.',
    });
    expect(await caller.find('aws', 'AKIA1')).toMatchObject({ account: 'account of AKIA1' });
    expect(await caller.secretOf('aws', 'AKIA1')).toBe('hush-1');
    const rows = await almanac.service.database.query.selectFrom('credentials').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('hush-1');
    expect((await caller.call('GET', '/v2/credentials')).text).not.toContain('hush-1');
    expect(logged.join('')).not.toContain('hush-1');
  });

  it('saving a key again replaces it', async () => {
    await caller.save(keyOf('AKIA2', 'old'));
    await almanac.service.database.query.updateTable('credentials').set({ updated_at: 1 }).execute();
    await caller.save({ ...keyOf('AKIA2', 'new'), AWSAccountName: 'renamed' });
    expect(await caller.secretOf('aws', 'AKIA2')).toBe('new');
    const after = await caller.find('aws', 'AKIA2');
    expect(after).toMatchObject({ account: 'renamed' });
    expect(after?.lastModified).toMatch(/^20/);
    expect((await caller.listed('aws')).filter(({ id }) => id === 'AKIA2')).toHaveLength(1);
  });

  const text = (value: unknown) => JSON.stringify(value);
  const ali = { AliCloudAccessKeyId: 'LTAI1', AliCloudSecretKey: 's', AliCloudAccountName: 'ali' };
  const swapped = { AWSSecretKey: 'AKIASWAP', AWSSecretKeyId: 'swapped', AWSAccountName: 'sdk' };
  const sdk = { vendor: 'aws', user_id: 'u', credentials: text({ credentials: swapped }) };

  it.each<[string, string, Request, string, string, string]>([
    [
      'a form with JSON text',
      '/v2/credentials',
      { form: { vendor: 'AWS', credentials: text(keyOf('F1')) } },
      'aws',
      'F1',
      'secret-of-F1',
    ],
    [
      'JSON text in JSON',
      '/v3/credentials',
      { json: { vendor: 'aws', credentials: text(keyOf('T1')) } },
      'aws',
      'T1',
      'secret-of-T1',
    ],
    [
      'a second wrapper',
      '/v3/credentials/aws',
      { json: { credentials: { credentials: keyOf('W1') } } },
      'aws',
      'W1',
      'secret-of-W1',
    ],
    ["the SDK's swapped names and form", '/v3/credentials/aws', { form: sdk }, 'aws', 'AKIASWAP', 'swapped'],
    [
      'the vendor in the path',
      '/v2/credentials/AWS',
      { json: { credentials: keyOf('P1') } },
      'aws',
      'P1',
      'secret-of-P1',
    ],
    [
      "another vendor's names",
      '/v2/credentials',
      { json: { vendor: 'AliCloud', credentials: ali } },
      'alicloud',
      'LTAI1',
      's',
    ],
    [
      'names made from the vendor',
      '/v3/credentials/K5Cloud',
      { json: { credentials: { K5AccessKeyId: 'K1', K5SecretKey: 's' } } },
      'k5',
      'K1',
      's',
    ],
    [
      'names without a vendor',
      '/v3/credentials/docker',
      { json: { credentials: { accessKeyId: 'D1', secret_access_key: 's' } } },
      'docker',
      'D1',
      's',
    ],
  ])('saving accepts %s', async (_, path, request, vendor, id, secret) => {
    const answer = await caller.call('POST', path, request);
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe('success');
    expect(await caller.secretOf(vendor, id)).toBe(secret);
    expect(await caller.find(vendor, id)).toBeDefined();
  });

  it.each<[string, object, string]>([
    ['no vendor', { credentials: keyOf('X') }, 'vendor not specified'],
    ['an unknown vendor', { vendor: 'clowd', credentials: keyOf('X') }, 'vendor is unknown'],
    ['no credentials', { vendor: 'aws' }, 'credentials not specified'],
    ['credentials of another kind', { vendor: 'aws', credentials: 5 }, 'credentials has an invalid format'],
    [
      'text that is not JSON',
      { vendor: 'aws', credentials: '{"AWSSecretKey":"hush-2' },
      'credentials must be an object or its JSON string',
    ],
    [
      'an empty object',
      { vendor: 'aws', credentials: {} },
      'credentials/AWSAccessKeyId not specified; credentials/AWSSecretKey not specified',
    ],
    [
      'no secret',
      { vendor: 'aws', credentials: { ...keyOf('X'), AWSSecretKey: '' } },
      'credentials/AWSSecretKey not specified',
    ],
    [
      'an id of two lines',
      { vendor: 'aws', credentials: { ...keyOf('X\nY'), AWSAccountName: '' } },
      'credentials/AWSAccessKeyId must be one line of text, at most 128 characters',
    ],
    [
      'a secret that is not a string',
      { vendor: 'aws', credentials: { ...keyOf('X'), AWSSecretKey: ['hush-2'] } },
      'credentials/AWSSecretKey must be text, at most 16384 characters',
    ],
    [
      "another vendor's names",
      { vendor: 'alicloud', credentials: keyOf('X') },
      'credentials/AliCloudAccessKeyId not specified; credentials/AliCloudSecretKey not specified',
    ],
  ])('saving rejects %s and stores nothing', async (_, json, message) => {
    const answer = await caller.call('POST', '/v2/credentials', { json });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', message });
    expect(answer.text + logged.join('')).not.toContain('hush-2');
    expect(await caller.find('aws', 'X')).toBeUndefined();
  });

  it('a sandbox key is verified and can create stacks', async () => {
    const answer = await caller.save(keyOf('MINE'), 'sandbox');
    expect(answer.body).toEqual({ status: 'success', verified: 'The vendor accepts the key.' });
    const vendor = { sandbox: { cred: 'MINE', region: 'ap-northeast-1' } };
    await almanac.waitFor(await almanac.applyTemplate({ ...oneServer(), vendor }), 'CREATE_COMPLETE');
  });

  it('SANDBOX is the sandbox for every vendor', async () => {
    const credentials = { AliCloudAccessKeyId: 'SANDBOX', AliCloudSecretKey: 's' };
    expect((await caller.save(credentials, 'alicloud')).body.verified).toBe('The vendor accepts the key.');
    const vendor = { alicloud: { cred: 'SANDBOX', region: 'ap-northeast-1' } };
    await almanac.waitFor(await almanac.applyTemplate({ ...oneServer(), vendor }), 'CREATE_COMPLETE');
  });

  it('a key of an unsupported cloud is saved, and a stack with it is rejected', async () => {
    // A server may be built without one.
    const vendors = almanac.service.vendors as Map<string, Vendor>;
    const sbcloud = vendors.get('sbcloud')!;
    vendors.delete('sbcloud');
    onTestFinished(() => void vendors.set('sbcloud', sbcloud));
    await caller.save({ SBCloudAccessKeyId: 'KEY3', SBCloudSecretKey: 's' }, 'sbcloud');
    const json = { ...oneServer(), vendor: { sbcloud: { cred: 'KEY3', region: 'ap-northeast-1' } } };
    const answer = await caller.call('POST', '/v3/alm/template', { json });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('this server does not support vendor sbcloud');
  });

  const saveWith = async (verify: Vendor['verify']) => {
    const { service } = almanac;
    const sandbox = service.vendors.get('sandbox');
    if (!sandbox || !verify) throw new Error('There is always a sandbox.');
    const vendors = new Map([['aws', { ...sandbox, verify }]]);
    const { id: accountId } = await service.database.query
      .selectFrom('accounts')
      .select('id')
      .executeTakeFirstOrThrow();
    const actor = clientActor(accountId);
    const cloud = { authUrl: null, path: '' };
    const key = { vendor: 'aws', id: 'CHECKED', secret: new Secret('s'), account: 'a', cloud } as const;
    return keepCredential({ ...service, vendors }, actor, key);
  };

  it('the reply contains the result of the vendor check, and the key is saved in any case', async () => {
    expect(await saveWith(async () => refused('The key is disabled.'))).toBe(
      'Saved, but the vendor does not accept the key: The key is disabled.',
    );
    const unreachable = async () => Promise.reject(new Unreachable('No way there.'));
    expect(await saveWith(unreachable)).toMatch(/^Saved, but the vendor could not be reached/);
    expect(await caller.find('aws', 'CHECKED')).toBeDefined();
  });
});
