import { beforeAll, expect, it } from 'vitest';
import { findVersion } from '../../../../src/store/stacks/versions.ts';
import type { RemovedData } from '../../../../src/vendors/data.ts';
import type { Vendor } from '../../../../src/vendors/vendor.ts';
import { oneServer } from '../../../world.ts';
import { useServedAlmanac } from '../../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

/** What the vendor removes is a stand-in. */
function removingData(removed: RemovedData[]): void {
  const vendors = almanac.service.vendors as Map<string, Vendor>;
  const sandbox = vendors.get('sandbox');
  if (sandbox) vendors.set('sandbox', { ...sandbox, removedData: async () => removed });
}

const replacedIn = async (stackId: string): Promise<readonly string[] | undefined> => {
  const { version_id } = await almanac.describe(stackId);
  return (await findVersion(almanac.service.database.query, stackId, String(version_id)))?.replaced_data;
};

it('the replacement of data is allowed for the version that confirmed it, and not for a rollback to it', async () => {
  removingData([]);
  const stackId = await almanac.applyTemplate(oneServer(1));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const store = { resourceType: 'DatabaseInstance', keptAs: '' };
  removingData([
    { ...store, resource: 'main', action: 'replace' },
    { ...store, resource: 'old', action: 'remove' },
  ]);
  const path = `/v3/alm/template/${stackId}`;
  await almanac.call('PUT', `${path}?data=delete`, { token, json: oneServer(2) });
  const { version_id } = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  expect(await replacedIn(stackId)).toEqual(['main']);
  removingData([]);
  await almanac.call('PUT', path, { token, json: oneServer(1) });
  await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  expect(await replacedIn(stackId)).toEqual([]);
  await almanac.call('POST', `/v3/alm/stack/${stackId}/rollback`, { token, json: { version_id } });
  await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  expect(await replacedIn(stackId)).toEqual([]);
});
