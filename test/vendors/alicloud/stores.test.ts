import { expect, it } from 'vitest';
import { observe } from '../../../src/vendors/alicloud/observe.ts';
import type { Observation } from '../../../src/vendors/vendor.ts';
import { listed, regionWith, row, stack } from './ros-world.ts';

const database = {
  DBInstanceId: 'rm-1',
  DBInstanceType: 'Primary',
  Engine: 'MySQL',
  DBInstanceStatus: 'Running',
};
const outputs = [{ OutputKey: 'AlmanacDatabaseapp', OutputValue: 'rm-1' }];

const idsIn = (seen: Observation): string[] =>
  seen.kind === 'unreachable' ? [] : (seen.view.stores ?? []).map(({ id }) => id);

/** A stack with a database; each read of the databases gets the next of these lists. */
const regionThatLists = (...lists: (readonly object[])[]) => {
  let reads = 0;
  return regionWith({
    ListStacks: listed(row('UPDATE_COMPLETE')),
    GetStack: () => ({
      Parameters: [{ ParameterKey: 'AlmanacVersion', ParameterValue: 'v1' }],
      Outputs: outputs,
    }),
    DescribeDBInstances: () => {
      const found = lists[Math.min(reads, lists.length - 1)] ?? [];
      reads += 1;
      return { Items: { DBInstance: found }, TotalRecordCount: found.length };
    },
  });
};

it('a database that is newer than the last list of databases is not taken as gone', async () => {
  const region = regionThatLists([], [database]);
  await region.databases.get(0);
  region.clock.advance(100);
  expect(idsIn(await observe(region, stack))).toEqual(['rm-1']);
});

it('a database that was deleted outside Almanac is gone, although the stack is complete', async () => {
  const region = regionThatLists([]);
  expect(idsIn(await observe(region, stack))).toEqual([]);
});

it('a database that is being made is not usable', async () => {
  const region = regionThatLists([{ ...database, DBInstanceStatus: 'Creating' }]);
  const seen = await observe(region, stack);
  expect(seen).toMatchObject({ view: { stores: [{ id: 'rm-1', usable: false }] } });
});
