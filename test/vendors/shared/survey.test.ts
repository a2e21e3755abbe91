import { describe, expect, it } from 'vitest';
import { fingerprintOf, surveyByObserving } from '../../../src/vendors/shared/poll.ts';
import { emptyView, type Observation, type StackOnVendor, Unreachable } from '../../../src/vendors/vendor.ts';

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

  const survey = (show: (stack: StackOnVendor) => Observation) =>
    surveyByObserving({ observe: async (stack) => show(stack) });
  const goingOn = new AbortController().signal;

  it('leaves out stacks that are gone', async () => {
    const { look } = survey(({ id }) => (id === 'gone' ? { kind: 'absent', view: emptyView } : settled));
    expect([...(await look(stacks, goingOn)).keys()]).toEqual(['one', 'two']);
  });

  const silent: Observation = { kind: 'unreachable', reason: 'no answer' };

  it('shows a stack that cannot be observed as changed, and the others as they are', async () => {
    const { look, textOf } = survey(({ id }) => (id === 'two' ? silent : settled));
    const seen = await look(stacks, goingOn);
    expect(seen.get('one')).toBe(textOf?.(settled));
    expect(seen.get('two')).toBe('unreachable');
  });

  it('fails as unreachable if none of them can be observed', async () => {
    const { look } = survey(() => silent);
    await expect(look(stacks, goingOn)).rejects.toThrow(Unreachable);
  });

  it('reads few stacks alone at the same time, and no more of them when the server stops', async () => {
    const stopping = new AbortController();
    let reading = 0;
    let most = 0;
    const read = async () => {
      reading += 1;
      most = Math.max(most, reading);
      await Promise.resolve();
      reading -= 1;
    };
    const begun: string[] = [];
    const { look } = surveyByObserving({
      observe: async ({ id }, inTurn) => {
        await inTurn(read);
        begun.push(id);
        if (id === '50') stopping.abort();
        return settled;
      },
      atOnceAlone: 2,
    });
    const many = Array.from({ length: 100 }, (_, n) => ({ id: String(n), accountId: 'a', region: 'r' }));
    await expect(look(many, stopping.signal)).rejects.toThrow(Unreachable);
    expect(most).toBe(2);
    expect(begun.length).toBeLessThan(55);
  });
});
