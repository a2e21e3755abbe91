import { describe, expect, it } from 'vitest';
import { planDeletion, type TaggedContent } from '../../../src/registry/plan-deletion.ts';

const content = (tag: string, digest: string, parts: string[] = []): TaggedContent => ({
  tag,
  digest,
  parts,
});

describe('the plan of a deletion', () => {
  it('deletes the content of a tag that nothing else refers to', () => {
    const plan = planDeletion([content('1', 'A'), content('2', 'B')], { kind: 'tag', tag: '1' });
    expect(plan).toEqual({ tags: ['1'], untag: null, digests: ['A'], others: [] });
  });

  it('deletes only the tag if another tag has the same content', () => {
    const plan = planDeletion([content('1', 'A'), content('latest', 'A')], { kind: 'tag', tag: '1' });
    expect(plan).toEqual({ tags: ['1'], untag: { tag: '1', digest: 'A' }, digests: [], others: [] });
  });

  it('deletes only the tag if its content is a platform of another tag', () => {
    const contents = [content('arm', 'A'), content('all', 'I', ['A', 'B'])];
    expect(planDeletion(contents, { kind: 'tag', tag: 'arm' })).toMatchObject({
      untag: { tag: 'arm', digest: 'A' },
      digests: [],
    });
  });

  it('deletes the platforms of an index with it, but none that another tag needs', () => {
    const contents = [content('1', 'I', ['A', 'B', 'C']), content('2', 'J', ['B']), content('arm', 'C')];
    expect(planDeletion(contents, { kind: 'tag', tag: '1' }).digests).toEqual(['I', 'A']);
  });

  it('keeps the platforms that an image pinned by its digest needs', () => {
    const contents = [content('1', 'I', ['A', 'B']), content('arm', 'C')];
    const pinned = [{ digest: 'J', parts: ['B', 'C'] }];
    expect(planDeletion(contents, { kind: 'tag', tag: '1' }, pinned).digests).toEqual(['I', 'A']);
    expect(planDeletion(contents, { kind: 'tag', tag: 'arm' }, pinned)).toMatchObject({
      untag: { tag: 'arm', digest: 'C' },
      digests: [],
    });
  });

  it('deletes all of an image that is itself pinned, also if a platform of it is pinned', () => {
    const contents = [content('1', 'I', ['A', 'B'])];
    const pinned = [
      { digest: 'I', parts: ['A', 'B'] },
      { digest: 'B', parts: [] },
    ];
    expect(planDeletion(contents, { kind: 'tag', tag: '1' }, pinned).digests).toEqual(['I', 'A', 'B']);
  });

  it('names all tags that a digest belongs to, also as a platform', () => {
    const contents = [content('1', 'A'), content('2', 'A'), content('all', 'I', ['A']), content('3', 'B')];
    const plan = planDeletion(contents, { kind: 'digest', digest: 'A', parts: [] });
    expect(plan).toEqual({ tags: ['1', '2'], untag: null, digests: ['A'], others: ['1', '2', 'all'] });
  });

  it('deletes everything in a repository, each content once', () => {
    const contents = [content('1', 'I', ['A', 'B']), content('2', 'J', ['B']), content('3', 'A')];
    const plan = planDeletion(contents, { kind: 'repository' });
    expect(plan).toEqual({ tags: ['1', '2', '3'], untag: null, digests: ['I', 'J', 'A', 'B'], others: [] });
  });

  it('does nothing for a tag that does not exist', () => {
    expect(planDeletion([content('1', 'A')], { kind: 'tag', tag: '2' }).digests).toEqual([]);
  });
});
