import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { oneServer } from '../../world.ts';
import { rolesOn } from '../access/role-statements.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { CredentialCaller } from './credential-caller.ts';

export const elsewhere = 'http://127.0.0.1:1';

/** A server whose list of clouds changes, and one cloud that counts its callers. */
export function useClouds() {
  const environment: Record<string, string> = {};
  const almanac = useServedAlmanac({ environment });
  const caller = new CredentialCaller(almanac);
  const { userWith } = rolesOn(almanac);

  /** Where Keystone would be. It knows nobody, and counts who asks. */
  let keystone: Server;
  let here = '';
  let asked = 0;

  beforeAll(async () => {
    keystone = createServer((_, response) => {
      asked += 1;
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"code":401,"message":"Who is it?","title":"Unauthorized"}}');
    });
    await new Promise<void>((done) => keystone.listen(0, '127.0.0.1', done));
    here = `http://127.0.0.1:${(keystone.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => keystone.close(done)));

  /** Restarts the server with these clouds. */
  async function serveWith(...urls: readonly string[]): Promise<void> {
    environment['ALM_OPENSTACK_AUTH_URLS'] = urls.join(',');
    await almanac.restart();
  }

  const keyOf = (id: string, authUrl?: string) => ({
    OpenStackAccessKeyId: id,
    OpenStackSecretAccessKey: `hush-${id}`,
    ...(authUrl === undefined ? {} : { OpenStackAuthUrl: authUrl }),
  });
  const save = (id: string, authUrl?: string) => caller.save(keyOf(id, authUrl), 'openstack');
  const urlOf = (id: string) => caller.find('openstack', id);

  const templateWith = (openstack: object) => ({
    ...oneServer(),
    vendor: { openstack: { region: 'RegionOne', ...openstack } },
  });
  const submit = (openstack: object) =>
    caller.call('POST', '/v3/alm/template', { json: templateWith(openstack) });

  /** A stack that was made with a credential, as the database knows it. */
  async function stackWith(id: string): Promise<string> {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const { query } = almanac.service.database;
    await query
      .updateTable('stacks')
      .set({ vendor: 'openstack', credential_id: id })
      .where('id', '=', stackId)
      .execute();
    return stackId;
  }

  return {
    almanac,
    caller,
    userWith,
    serveWith,
    keyOf,
    save,
    urlOf,
    submit,
    stackWith,
    address: () => here,
    calls: () => asked,
  };
}
