import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { allow, deny, rolesOn } from '../access/role-statements.ts';
import { type Json, type Request, useServedAlmanac } from '../served-almanac.ts';

interface Reply extends Json {
  clouds: { vendor: string; asked: boolean; result: string }[];
}

const almanac = useServedAlmanac();
const { userWith } = rolesOn(almanac);
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const compare = (query: string, request: Request, as = token) =>
  almanac.call<Reply>('POST', `/v3/alm/template/portability${query}`, { token: as, ...request });

describe('a report with a credential', () => {
  it('the cloud of a saved credential is asked', async () => {
    const { status, body } = await compare('?vendor=sandbox&cred=SANDBOX', { json: oneServer(1) });
    expect(status).toBe(200);
    expect(body.clouds).toMatchObject([{ vendor: 'sandbox', asked: true, result: 'maps' }]);
  });

  it('an unknown credential, and one of another account, are refused alike', async () => {
    const json = { credentials: { AWSAccessKeyId: 'FIRST', AWSSecretKey: 's' } };
    await almanac.call('POST', '/v3/credentials/sandbox', { token, json });
    const other = await almanac.otherAccountToken();
    const [foreign, unknown] = await Promise.all([
      compare('?vendor=sandbox&cred=FIRST', { json: oneServer(1) }, other),
      compare('?vendor=sandbox&cred=NONE', { json: oneServer(1) }, other),
    ]);
    expect([foreign.status, unknown.status]).toEqual([400, 400]);
    expect(String(foreign.body.message).replaceAll('FIRST', 'NONE')).toBe(unknown.body.message);
  });

  it('a credential that the roles of the caller hide is forbidden', async () => {
    const { token: as } = await userWith('blind', allow(['*']), deny(['*'], ['mrn:vendor:sandbox:cred:*']));
    expect((await compare('?vendor=sandbox&cred=SANDBOX', { json: oneServer(1) }, as)).status).toBe(403);
    expect((await compare('?vendor=sandbox', { json: oneServer(1) }, as)).status).toBe(200);
  });

  it('a credential needs one vendor', async () => {
    const { status, body } = await compare('?vendor=all&cred=SANDBOX', { json: oneServer(1) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ problems: [{ path: 'cred' }] });
  });
});

describe('requests that get no report', () => {
  it('an invalid template is rejected with all its problems', async () => {
    const { status, body } = await compare('', { json: { ...oneServer(1), colour: 'red' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: '1006', problems: [{ path: 'colour' }] });
    expect((await compare('', { raw: 'a: [', headers: { 'content-type': 'application/yaml' } })).status).toBe(
      400,
    );
    expect((await compare('', { raw: '', headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    );
  });

  it('an unknown vendor is rejected, with the list of vendors', async () => {
    const { status, body } = await compare('?vendor=nimbus', { json: oneServer(1) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ problems: [{ path: 'vendor' }] });
    expect(body.description).toContain('openstack');
  });

  it('a document of more than 1 MiB is rejected', async () => {
    const json = { ...oneServer(1), description: 'x'.repeat(1_100_000) };
    expect((await compare('', { json })).status).toBe(413);
  });

  it('who may not preview a template gets 403, and a caller without a token 401', async () => {
    const { token: as } = await userWith('reader', allow(['stack:describeStack']));
    expect((await compare('', { json: oneServer(1) }, as)).status).toBe(403);
    expect((await compare('', { json: oneServer(1) }, await almanac.clientToken())).status).toBe(403);
    const anonymous = await almanac.call('POST', '/v3/alm/template/portability', { json: oneServer(1) });
    expect(anonymous.status).toBe(401);
  });
});
