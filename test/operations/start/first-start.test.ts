import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFirstTime } from '../../../src/operations/start/first-start.ts';
import { World } from '../../world.ts';

let world: World;
beforeEach(async () => void (world = await World.open()));
afterEach(() => world.close());

const start = (clientId: string) =>
  startFirstTime(world.service, { clientId, clientSecret: null, username: 'root', password: null });
const forgetFirstStart = () =>
  world.database.query.deleteFrom('meta').where('key', '=', 'first_account').execute();
const accounts = () => world.database.query.selectFrom('accounts').selectAll().execute();

it.each(['alm', 'gateway', 'personal', 'mo-1'])(
  'a first start with the reserved client id %s is refused, and creates nothing',
  async (clientId) => {
    await forgetFirstStart();
    await expect(start(clientId)).rejects.toThrow(/ALM_CLIENT_ID must not be .*reserved/);
    expect(await accounts()).toHaveLength(1);
    expect(await start('lg-chosen')).toMatchObject({ clientId: 'lg-chosen' });
  },
);

it('a later start ignores the setting, so that existing installations keep starting', async () => {
  expect(await start('alm')).toBeNull();
});
