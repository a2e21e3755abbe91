import { describe, expect, it } from 'vitest';
import { fingerprintOf, surveyByObserving } from '../../../src/vendors/shared/poll.ts';
import { emptyView, type Observation, Unreachable } from '../../../src/vendors/vendor.ts';

const settled: Observation = { kind: 'settled', version: 'v1', view: emptyView };
const output = { key: 'Address', value: '192.0.2.1', description: '' };
const event = {
  id: '1',
  at: 1,
  resource: 'r',
  resourceType: 't',
  physicalId: '',
  state: 's',
  message: '',
};

describe('what a survey compares', () => {
  it('stays the same if only events came, or the time of the next look changed', () => {
    const before = fingerprintOf(settled);
    expect(fingerprintOf({ ...settled, view: { ...emptyView, events: [event] } })).toBe(before);
    expect(fingerprintOf({ ...settled, lookAgainMs: 5 })).toBe(before);
  });

  it('changes with the version, the state, and everything in the view', () => {
    const others: Observation[] = [
      { ...settled, version: 'v2' },
      { ...settled, kind: 'busy', doing: 'apply' },
      { ...settled, view: { ...emptyView, outputs: [output] } },
      { kind: 'broken', doing: 'apply', version: 'v1', reason: 'r', terminal: true, view: emptyView },
    ];
    const texts = [settled, ...others].map(fingerprintOf);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('a survey that observes each stack', () => {
  const stacks = ['one', 'two', 'gone'].map((id) => ({ id, accountId: 'a', region: 'r' }));

  it('leaves out stacks that are gone', async () => {
    const { look } = surveyByObserving(async ({ id }) =>
      id === 'gone' ? { kind: 'absent', view: emptyView } : settled,
    );
    expect([...(await look(stacks)).keys()]).toEqual(['one', 'two']);
  });

  const silent: Observation = { kind: 'unreachable', reason: 'no answer' };

  it('shows a stack that cannot be observed as changed, and the others as they are', async () => {
    const { look, textOf } = surveyByObserving(async ({ id }) => (id === 'two' ? silent : settled));
    const seen = await look(stacks);
    expect(seen.get('one')).toBe(textOf?.(settled));
    expect(seen.get('two')).toBe('unreachable');
  });

  it('fails as unreachable if none of them can be observed', async () => {
    const { look } = surveyByObserving(async () => silent);
    await expect(look(stacks)).rejects.toThrow(Unreachable);
  });
});
