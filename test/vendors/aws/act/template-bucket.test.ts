import { expect, it } from 'vitest';
import { placeTemplate } from '../../../../src/vendors/aws/act/template-bucket.ts';
import { cannedRegion, cannedWorld } from '../canned-clients.ts';

const small = 'x'.repeat(51_200);
const large = 'x'.repeat(51_201);
const name = 'almanac-templates-111122223333-ap-northeast-1';

it('sends a small template in the request, without any call', async () => {
  const world = cannedWorld();
  expect(await placeTemplate(cannedRegion(world), 's1', small)).toEqual({ TemplateBody: small });
  expect(world.calls).toEqual([]);
});

it('uploads a large template to a private bucket whose objects expire', async () => {
  const world = cannedWorld();
  const region = cannedRegion(world);
  const placed = await placeTemplate(region, 's1', large);
  const [key = ''] = Object.keys(world.buckets[name]?.objects ?? {});
  expect(world.buckets).toEqual({ [name]: { closed: true, expireAfterDays: 1, objects: { [key]: large } } });
  expect(placed).toEqual({ TemplateURL: `https://s3.ap-northeast-1.amazonaws.com/${name}/${key}` });
  expect(await placeTemplate(region, 's1', large)).toEqual(placed);
  expect(await placeTemplate(region, 's1', `${large}x`)).not.toEqual(placed);
});

it('creates the bucket again after it was deleted', async () => {
  const world = cannedWorld();
  const region = cannedRegion(world);
  await placeTemplate(region, 's1', large);
  delete world.buckets[name];
  await placeTemplate(region, 's1', large);
  expect(Object.values(world.buckets[name]?.objects ?? {})).toEqual([large]);
});
