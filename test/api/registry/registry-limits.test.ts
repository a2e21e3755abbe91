import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { first } from '../served-almanac.ts';
import { useAlmanacWithRegistry } from './use-registry.ts';

/** On a clock that stands, an address without a sign-in has its burst of two requests. */
const settings = { ALM_TOKEN_RATE_LIMIT: '1' };
const { almanac, images } = useAlmanacWithRegistry(settings, new VirtualClock());

const many = async (times: number, call: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let each = 0; each < times; each += 1) statuses.push((await call()).status);
  return statuses;
};

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`${first.username}:${password}`).toString('base64')}`,
});
const registryToken = (password: string) =>
  almanac.call('GET', '/v3/docker/token', { headers: basic(password) });

it('notifications with the secret and sign-ins with Basic do not count to the address, until one is wrong', async () => {
  expect(await many(5, () => images.notify([]))).toEqual([202, 202, 202, 202, 202]);
  expect(await many(5, () => registryToken(first.password))).toEqual([200, 200, 200, 200, 200]);
  expect(await many(1, () => images.notify([], 'wrong'))).toEqual([401]);
  expect(await many(3, () => registryToken('wrong'))).toEqual([401, 429, 429]);
  expect(await many(1, () => images.notify([], 'wrong'))).toEqual([429]);
});
