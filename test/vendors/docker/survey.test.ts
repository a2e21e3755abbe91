import { expect, it } from 'vitest';
import { EngineUnreachable } from '../../../src/docker-engine/errors.ts';
import { labels } from '../../../src/vendors/docker/names.ts';
import { surveyOf } from '../../../src/vendors/docker/survey.ts';
import type { Machine } from '../../../src/vendors/docker/tools.ts';
import { Unreachable } from '../../../src/vendors/vendor.ts';

interface Listed {
  id: string;
  name: string;
  state: string;
  networks: { network: string; address: string }[];
  labels: Record<string, string>;
}

const container = (stack: string, id: string, address = '10.0.0.2'): Listed => ({
  id,
  name: `alm-${stack}-${id}`,
  state: 'running',
  networks: [{ network: `alm-${stack}`, address }],
  labels: { [labels.stack]: stack },
});

function surveyed(list: () => Promise<Listed[]>) {
  let calls = 0;
  const containers = {
    list: () => {
      calls += 1;
      return list();
    },
  };
  const { look } = surveyOf({ engine: { containers } } as unknown as Machine);
  return { look: () => look([], new AbortController().signal), calls: () => calls };
}

it('a survey of all stacks of a machine takes one call, and shows which of them changed', async () => {
  let listed = [container('one', 'a'), container('one', 'b'), container('two', 'c')];
  const survey = surveyed(async () => listed);
  const before = await survey.look();
  listed = listed.toReversed();
  expect(await survey.look()).toEqual(before);
  const changes: Listed[] = [
    { ...container('two', 'c'), state: 'exited' },
    { ...container('two', 'c'), name: 'alm-two-c.leaving-7' },
    container('two', 'c', '10.0.0.9'),
    container('two', 'd'),
  ];
  for (const changed of changes) {
    listed = [container('one', 'a'), container('one', 'b'), changed];
    const after = await survey.look();
    expect(after.get('one')).toBe(before.get('one'));
    expect(after.get('two')).not.toBe(before.get('two'));
  }
  listed = [container('one', 'a'), container('one', 'b')];
  expect((await survey.look()).has('two')).toBe(false);
  expect(survey.calls()).toBe(2 + changes.length + 1);
});

it('a survey of a machine whose engine does not answer fails as unreachable', async () => {
  const survey = surveyed(async () => {
    throw new EngineUnreachable('no socket');
  });
  await expect(survey.look()).rejects.toThrow(Unreachable);
});
