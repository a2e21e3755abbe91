import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteTag } from '../../../src/registry/delete-tag.ts';
import { readContents } from '../../../src/registry/read-tags.ts';
import { Registry } from '../../../src/registry/registry.ts';
import { type Mood, StandInRegistry } from '../../api/registry/stand-in-registry.ts';

let standIn: StandInRegistry;
let registry: Registry;
let digest: string;

beforeAll(async () => {
  standIn = await StandInRegistry.start();
  registry = new Registry({ url: standIn.url, timeoutMs: 5000, token: () => Promise.resolve('token') });
});
afterAll(() => standIn.stop());
beforeEach(() => {
  standIn.mood = 'well';
  standIn.repositories.clear();
  standIn.before = () => {};
  digest = standIn.push('ann/shop', '1');
  standIn.push('ann/shop', 'latest', { layer: '1' });
});

const untag = () => deleteTag(registry, { repository: 'ann/shop', tag: '1', digest, unique: 'unique' });
const taggedDigests = () => Object.fromEntries(standIn.repositories.get('ann/shop')?.tags ?? []);

/** Runs it at the first deletion after the tag was pointed at the placeholder. */
function atDeletion(change: () => void): void {
  let isReplaced = false;
  standIn.before = (request) => {
    if (isReplaced && request.startsWith('DELETE')) {
      standIn.before = () => {};
      change();
    }
    if (request.startsWith('PUT')) isReplaced = true;
  };
}

/** Fails the deletion, and everything after it if it does not get well again. */
const failDeletion = (mood: Mood, getsWell: boolean) =>
  atDeletion(() => {
    standIn.mood = mood;
    standIn.before = () => {
      if (getsWell) standIn.mood = 'well';
    };
  });

describe('deleting one of two tags of the same content, with a stand-in for the registry', () => {
  it('leaves the other tag and the content', async () => {
    await untag();
    expect(standIn.tagsOf('ann/shop')).toEqual(['latest']);
    expect(standIn.digests('ann/shop')).toEqual([digest]);
  });

  it('leaves a tag that is pushed again at the moment it is deleted', async () => {
    atDeletion(() => void standIn.push('ann/shop', '1', { layer: 'newer' }));
    await untag();
    expect(standIn.tagsOf('ann/shop')).toEqual(['1', 'latest']);
  });

  it('refuses a tag that was pushed again since it was read', async () => {
    const newer = standIn.push('ann/shop', '1', { layer: 'newer' });
    await expect(untag()).rejects.toMatchObject({ kind: 'conflict' });
    expect(taggedDigests()).toEqual({ '1': newer, latest: digest });
  });

  it('does not show the placeholder of a tag that is being deleted', async () => {
    let seen: unknown = 'nothing was read';
    atDeletion(() => {
      seen = registry.manifest('ann/shop', '1');
    });
    await untag();
    expect(await seen).toBeNull();
  });

  it('changes nothing in a registry that does not allow deletion', async () => {
    standIn.mood = 'deletes nothing';
    await expect(untag()).rejects.toThrow(/Deletion is disabled/);
    expect(taggedDigests()).toEqual({ '1': digest, latest: digest });
    expect(standIn.digests('ann/shop')).toEqual([digest]);
  });

  it.each([
    ['is broken', 'broken'],
    ['is being started', 'starting'],
    ['deletes nothing any more', 'deletes nothing'],
  ] as const)(
    'gives the tag its content back, unchanged, if the deletion fails because the registry %s',
    async (_, mood) => {
      const original = standIn.repositories.get('ann/shop')?.manifests.get(digest);
      failDeletion(mood, true);
      await expect(untag()).rejects.toMatchObject({ kind: 'registry_trouble' });
      expect(taggedDigests()).toEqual({ '1': digest, latest: digest });
      expect(standIn.repositories.get('ann/shop')?.manifests.get(digest)).toEqual(original);
    },
  );

  it('does not overwrite a tag that was pushed again while the deletion failed', async () => {
    let newer = '';
    atDeletion(() => {
      standIn.mood = 'broken';
      newer = standIn.push('ann/shop', '1', { layer: 'newer' });
      standIn.before = () => {
        standIn.mood = 'well';
      };
    });
    await expect(untag()).rejects.toThrow(/status 500 for DELETE/);
    expect(taggedDigests()).toEqual({ '1': newer, latest: digest });
  });

  it('reports the first failure if the content cannot be given back either, and can then be repeated', async () => {
    failDeletion('broken', false);
    await expect(untag()).rejects.toThrow(/status 500 for DELETE/);
    standIn.mood = 'well';
    const left = (await readContents(registry, 'ann/shop')).find(({ tag }) => tag === '1');
    expect(left).toMatchObject({ tag: '1', parts: [] });
    await registry.deleteManifest('ann/shop', left?.digest ?? '');
    expect(taggedDigests()).toEqual({ latest: digest });
  });
});
