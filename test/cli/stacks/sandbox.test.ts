import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { AlmUser } from '../alm.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

it('alm sandbox injects a fault, lists it and clears it', async () => {
  await root.json(['sandbox', 'inject', 'fail_resource', '--position', '2', '--reason', 'No room.']);
  expect(await root.json(['sandbox', 'faults', '--fmt', 'json'])).toEqual([
    { kind: 'fail_resource', stack_id: null, position: 2, reason: 'No room.' },
  ]);
  await root.json(['sandbox', 'clear']);
  expect(await root.json(['sandbox', 'faults', '--fmt', 'json'])).toEqual([]);
});
