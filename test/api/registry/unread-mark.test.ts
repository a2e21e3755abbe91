import { expect, it } from 'vitest';
import { readAbandoned } from '../../../src/operations/registry/images/read-abandoned.ts';
import { listMeta, writeMeta } from '../../../src/store/database/meta.ts';
import { useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();
const marks = () => listMeta(almanac.service.database.query, 'registry unread ');
const mediaType = 'application/vnd.oci.image.manifest.v1+json';

it('while events are not in the index, the database says so', async () => {
  const digest = registry().push('root/waiting', '1');
  registry().mood = 'starting';
  const target = { repository: 'root/waiting', digest, tag: '1', mediaType };
  await images.announce([{ action: 'push', target, actor: { name: 'ann' } }]);
  expect(await marks()).toHaveLength(1);
  registry().mood = 'well';
  await almanac.service.registryEvents.idle();
  expect(await marks()).toEqual([]);
});

it('after a server ended with events that were not in the index, the registry is read again, once', async () => {
  registry().push('root/lost', '1');
  await writeMeta(almanac.service.database.query, 'registry unread dead', 'dead 1000');
  expect(await readAbandoned(almanac.service)).toBe(true);
  expect(await images.names()).toContain('root/lost');
  expect(await marks()).toEqual([]);
  expect(await readAbandoned(almanac.service)).toBe(false);
});
