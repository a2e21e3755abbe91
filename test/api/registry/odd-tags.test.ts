import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { syncRegistry } from '../../../src/operations/registry/images/sync.ts';
import { useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();

beforeEach(() => registry().repositories.clear());
afterEach(() => vi.restoreAllMocks());

/** A tag whose content the registry gives back wrong. */
function pushUnreadable(name: string, tag: string): void {
  const digest = registry().push(name, tag);
  registry().repositories.get(name)?.manifests.set(digest, { type: 'application/json', text: '{}' });
}

describe('a tag that cannot be read, with a stand-in for the registry', () => {
  it('does not hide the other tags of its repository', async () => {
    pushUnreadable('root/mixed', 'odd');
    registry().push('root/mixed', 'well');
    const answer = await images.describe('root/mixed');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body[0]?.tags ?? {})).toEqual(['well']);
  });

  it('is named by a comparison of the whole registry, which goes on after it', async () => {
    pushUnreadable('root/a', 'odd');
    pushUnreadable('root/b', 'odd');
    registry().push('root/b', 'well');
    registry().push('root/c', '1');
    const { failures } = await syncRegistry(almanac.service);
    expect(failures).toEqual([
      expect.stringMatching(/^root\/a: .*not usable/),
      expect.stringMatching(/^root\/b:odd: .*not usable/),
    ]);
    expect(await images.names()).toEqual(expect.arrayContaining(['root/b', 'root/c']));
  });
});

describe('notifications of the registry, with a stand-in for it and a database that fails', () => {
  const pushed = () => {
    const digest = registry().push('root/refused', '1');
    return {
      action: 'push',
      target: { repository: 'root/refused', tag: '1', digest, mediaType: 'manifest' },
    };
  };

  it('are not repeated for ever if the database refuses a value', async () => {
    const outOfRange = Object.assign(new Error('value out of range'), { code: '22003' });
    vi.spyOn(almanac.service.database, 'transaction').mockRejectedValue(outOfRange);
    expect((await images.notify([pushed()])).status).toBe(202);
  });

  it('are in the list after an outage of the database', async () => {
    const outage = new Failure('unavailable', 'The database is not available', { retryAfter: 5 });
    const broken = vi.spyOn(almanac.service.database, 'transaction').mockRejectedValue(outage);
    expect((await images.announce([pushed()])).status).toBe(202);
    await expect.poll(() => broken.mock.calls.length).toBeGreaterThan(0);
    vi.restoreAllMocks();
    await almanac.service.registryEvents.idle();
    expect(await images.names()).toContain('root/refused');
  });
});
