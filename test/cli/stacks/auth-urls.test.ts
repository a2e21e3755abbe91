import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AlmUser, serveForAlm } from '../alm.ts';
import { header, rowOf } from '../people/world.ts';

let served: Awaited<ReturnType<typeof serveForAlm>>;
let root: AlmUser;
beforeAll(async () => {
  // Nobody listens there: the credentials are saved, and the answer says that they could not be checked.
  served = await serveForAlm({ ALM_OPENSTACK_AUTH_URLS: 'http://127.0.0.1:1/v3,http://127.0.0.1:2' });
  root = served.root;
});
afterAll(() => served.close());

const id = 'deploy@Default/shop';
const addition = `creds add --vendor openstack --key-id ${id} --secret-key s --account shop`.split(' ');
const add = (version: string, ...more: string[]) => root.run([...addition, '--apiver', version, ...more]);

it.each(['v3', 'v2'])('alm creds saves and lists the cloud of a credential in %s', async (version) => {
  const added = await add(version, '--auth-url', 'http://127.0.0.1:2/v3/');
  expect(added.code).toBe(0);
  expect(added.stderr).toContain('could not be reached');
  const { stdout } = await root.run(['creds', 'list', '--vendor', 'openstack', '--apiver', version]);
  expect(header(stdout)).toEqual(['VENDOR', 'ID', 'ACCOUNT', 'LAST MODIFIED', 'AUTH URL']);
  expect(rowOf(stdout, 'openstack')).toEqual([
    'openstack',
    id,
    'shop',
    expect.any(String),
    'http://127.0.0.1:2',
  ]);
});

it('alm creds add rejects a cloud that the server does not list, and names the setting', async () => {
  for (const refused of [await add('v3'), await add('v3', '--auth-url', 'http://127.0.0.1:3')]) {
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('ALM_OPENSTACK_AUTH_URLS');
  }
});
