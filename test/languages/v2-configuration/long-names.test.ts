import { expect, test } from 'vitest';
import { readConfigurations } from '../../../src/languages/v2-configuration/read-configurations.ts';
import { problemsIn, single } from './documents.ts';

test('a configuration with a member name of more than 256 characters is rejected with the beginning of the name', () => {
  const sent = { ...single, vars: { ['N'.repeat(300)]: 'x' } };
  expect(problemsIn(readConfigurations(sent))).toEqual([
    `configurations/vars/${'N'.repeat(40)}…: has a name of 300 characters; a member name has at most 256.`,
  ]);
});
