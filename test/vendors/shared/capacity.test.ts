import { expect, it } from 'vitest';
import { hostLayers, serverSlots, spotShare } from '../../../src/vendors/shared/capacity.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';

it.each([
  [3, 50, 2],
  [20, 50, 10],
  [1, 50, 1],
  [4, 0, 0],
  [5, 100, 5],
  [3, 10, 0],
])('of %d instances with %d percent spot, %d are spot instances', (instances, percent, spot) => {
  expect(spotShare(instances, percent)).toBe(spot);
});

it('a growing group keeps the slots it has, counting spot and on-demand servers separately', () => {
  const before = serverSlots(sampleGroup(3, 50));
  expect(before).toEqual([
    { spot: false, index: 0 },
    { spot: true, index: 0 },
    { spot: true, index: 1 },
  ]);
  expect(serverSlots(sampleGroup(5, 50))).toEqual(expect.arrayContaining(before));
});

it('a group uses the subnets of its own layer and of the layers that share it', () => {
  const group = sampleGroup(2, 0);
  const sharing = sampleLayer({ flag: 'Second', capacity: { kind: 'shared', groupOf: group.flag } });
  const model = sampleModel({ layers: [sharing, group, sampleLayer({ flag: 'Other' })] });
  expect(hostLayers(model, group)).toEqual([sharing, group]);
});
