import { expect, it } from 'vitest';
import { releasesOfStack } from '../../../../src/store/data/releases.ts';
import { DataCaller, mysql, withData } from '../../data/data-caller.ts';
import { useServedAlmanac } from '../../served-almanac.ts';
import { replaceDatabases } from '../../stand-in-replacing.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);

const template = (description: string) => ({ ...withData({ rds: mysql }), description });

it('the replacement of data is allowed for the version that confirmed it, and not for a rollback to it', async () => {
  const { stackId } = await data.created(template('first'));
  const [store] = await data.stores(stackId);
  const releases = async () =>
    (await releasesOfStack(almanac.service.database.query, stackId)).map(({ store: id, intent, choice }) => ({
      id,
      intent,
      choice,
    }));
  const end = replaceDatabases(almanac.service, '');
  const { version_id } = await data.updated(stackId, template('second'), '?data=delete');
  const released = [{ id: store?.id, intent: version_id, choice: 'delete' }];
  expect(await releases()).toEqual(released);
  end();
  await data.updated(stackId, template('third'));
  expect(await releases()).toEqual(released);
  const endAgain = replaceDatabases(almanac.service, '');
  const path = `/v3/alm/stack/${stackId}/rollback`;
  const refused = await data.call('POST', path, { json: { version_id } });
  endAgain();
  expect(refused.status).toBe(409);
  expect(refused.body.stores).toMatchObject([{ id: store?.id, action: 'replace', confirm: ['data=delete'] }]);
  expect((await data.call('POST', path, { json: { version_id } })).status).toBe(202);
  expect(await releases()).toEqual(released);
});
