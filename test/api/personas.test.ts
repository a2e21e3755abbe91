import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServedAlmanac } from './served-almanac.ts';

let almanac: ServedAlmanac;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
});
afterAll(() => almanac.close());

test('smoke', async () => {
  const id = await almanac.applyTemplate();
  const s = await almanac.waitFor(id, 'CREATE_COMPLETE');
  console.log(JSON.stringify(s, null, 1));
  await almanac.stackToken(id);
  await almanac.clientToken();
  await almanac.otherAccountToken();
  await almanac.restart();
  expect((await almanac.describe(id)).stack_id).toBe(id);
});
