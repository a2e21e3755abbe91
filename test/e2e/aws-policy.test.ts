import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { runAlmanac } from './almanac-process.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

it('almanac aws-policy prints one IAM policy document as JSON, and an error on standard error', async () => {
  const { code, stdout, stderr } = await runAlmanac(place, ['aws-policy', 'key', '--variant', 'minimal']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow' }, {}, {}, {}, {}, {}],
  });
  const wrong = await runAlmanac(place, ['aws-policy', 'key', '--variant', 'some']);
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'almanac: Unknown variant "some". Use minimal or full.\n',
  });
});
