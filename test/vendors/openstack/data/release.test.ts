import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import type { Release } from '../../../../src/vendors/data.ts';
import type { OpenStackDocument, TemplateResource } from '../../../../src/vendors/openstack/document.ts';
import { notBegun } from '../../../../src/vendors/vendor.ts';
import { documentWith } from '../document-with.ts';
import { FakeHeat } from '../fake-heat.ts';
import { released } from './release.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const other: TemplateResource = { type: 'OS::Neutron::Net', properties: { name: 'x' } };
const database: TemplateResource = { type: 'OS::Trove::Instance', properties: { size: 20 } };
const volume = (size: number): TemplateResource => ({
  type: 'OS::Cinder::Volume',
  deletion_policy: 'Retain',
  properties: { size },
});
const nothing = documentWith({ Other: other });
const withVolume = (size: number) => documentWith({ Files0Ofweb: volume(size) });

function heatWith(document: OpenStackDocument): FakeHeat {
  const heat = new FakeHeat();
  heat.template = document.template;
  for (const [name, { type }] of Object.entries(document.template.resources))
    heat.add(name, type, 'CREATE_COMPLETE');
  if ('Databasemain' in document.template.resources) heat.databases = { 'id-of-Databasemain': 20 };
  if ('Files0Ofweb' in document.template.resources) heat.data.add('id-of-Files0Ofweb', 'Files0Ofweb');
  return heat;
}

const apply = (heat: FakeHeat, document: OpenStackDocument, releases: readonly Release[] = []) =>
  heat.driver().apply(stack, { document, version: 'v2', agentToken: new Secret('t'), releases });
const remove = (heat: FakeHeat, releases: readonly Release[]) =>
  heat.driver().remove(stack, { releases, intent: 'delete 1' });

/** Heat has done what the last update, or the deletion, asked for. */
function finish(heat: FakeHeat, document: OpenStackDocument): void {
  heat.resources = [];
  heat.template = document.template;
  heat.tags = ['almanac', 'version=v2'];
  heat.status = 'UPDATE_COMPLETE';
  heat.data.detach('id-of-Files0Ofweb');
}

describe('a database that is removed and kept', () => {
  const before = documentWith({ Databasemain: database });
  const kept = released('keep', 'Databasemain');

  it.each([
    ['an update', (heat: FakeHeat) => apply(heat, nothing, kept)],
    ['a deletion', (heat: FakeHeat) => remove(heat, kept)],
  ])('is backed up once before %s begins', async (_, request) => {
    const heat = heatWith(before);
    expect(await request(heat)).toEqual(notBegun);
    expect(await request(heat)).toEqual(notBegun);
    expect(heat.data.backups).toMatchObject([{ instance_id: 'id-of-Databasemain', status: 'NEW' }]);
    expect([...heat.updates, ...heat.requests]).toEqual([]);
    heat.data.backups[0]!.status = 'COMPLETED';
    expect(await request(heat)).toEqual({ accepted: true });
    expect([...heat.updates, ...heat.requests]).toHaveLength(1);
  });

  it('stays if its backup fails, or if the cloud has no storage for backups', async () => {
    const failing = heatWith(before);
    await remove(failing, kept);
    failing.data.backups[0]!.status = 'FAILED';
    expect(await remove(failing, kept)).toMatchObject({ reason: expect.stringContaining('failed') });
    const without = heatWith(before);
    without.data.hasStorage = false;
    expect(await remove(without, kept)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('no storage for backups'),
    });
    without.services = without.services.filter((each) => each !== 'object-store');
    expect(await remove(without, kept)).toMatchObject({ reason: expect.stringContaining('no storage') });
    expect([...failing.requests, ...without.requests]).toEqual([]);
  });

  it('is listed as kept once it is gone, by the newest of its backups', async () => {
    const heat = heatWith(before);
    await remove(heat, kept);
    const [backup] = heat.data.backups;
    heat.data.backups = ['2026-01-01', '2026-01-02'].map((created, index) => ({
      ...backup!,
      id: `b${index}`,
      status: 'COMPLETED',
      created: `${created}T00:00:00`,
    }));
    expect(await heat.driver().listKept?.(stack)).toEqual([]);
    heat.databases = {};
    expect(await heat.driver().listKept?.(stack)).toMatchObject([
      { storeId: 'id-of-Databasemain', reference: 'b1', since: Date.parse('2026-01-02T00:00:00Z') },
    ]);
  });
});

describe('a volume with data', () => {
  const files = 'id-of-Files0Ofweb';

  it('is not removed by an update that nobody released it for', async () => {
    const heat = heatWith(withVolume(20));
    expect(await apply(heat, nothing)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('the data of Files0Ofweb'),
    });
    expect(heat.updates).toEqual([]);
  });

  it('that an update removes and keeps stays, and is listed as kept when it is detached', async () => {
    const heat = heatWith(withVolume(20));
    expect(await apply(heat, nothing, released('keep', 'Files0Ofweb'))).toEqual({ accepted: true });
    expect(await heat.driver().listKept?.(stack)).toEqual([]);
    finish(heat, nothing);
    expect(await heat.driver().observe(stack)).toMatchObject({ kind: 'settled', view: { stores: [] } });
    expect(await heat.driver().listKept?.(stack)).toMatchObject([{ storeId: files, reference: files }]);
  });

  it('that an update removes and deletes is deleted when the stack has reached the version', async () => {
    const heat = heatWith(withVolume(20));
    const releases = released('delete', 'Files0Ofweb');
    await apply(heat, nothing, releases);
    finish(heat, nothing);
    expect(await heat.driver().observe(stack)).toMatchObject({ kind: 'unfinished', doing: 'apply' });
    expect(await apply(heat, nothing, releases)).toEqual({ accepted: true });
    expect(heat.data.volumes).toEqual([]);
    expect(await heat.driver().observe(stack)).toMatchObject({ kind: 'settled' });
  });

  it('that a cancelled version was to delete stays, also when it is detached later', async () => {
    const heat = heatWith(withVolume(20));
    await apply(heat, nothing, released('delete', 'Files0Ofweb'));
    heat.data.detach(files);
    heat.tags = ['almanac', 'version=v1'];
    expect(await heat.driver().observe(stack)).toMatchObject({
      kind: 'settled',
      view: { stores: [{ id: files, resource: 'Files0Ofweb', kind: 'files', name: 'web' }] },
    });
  });

  it('is enlarged before Heat sees its new size, and the update is not undone by Heat', async () => {
    const heat = heatWith(withVolume(20));
    expect(await apply(heat, withVolume(30))).toEqual(notBegun);
    expect(heat.data.volumes).toMatchObject([{ size: 30 }]);
    expect(heat.updates).toEqual([]);
    expect(await apply(heat, withVolume(30))).toEqual({ accepted: true });
    expect(heat.updates).toMatchObject([{ disable_rollback: true }]);
  });

  it('that was kept is used again by the stack that is made from it, and no longer counts as kept', async () => {
    const heat = heatWith(nothing);
    heat.data.add('v', 'Files0Ofweb', {
      almanac_stack: 'mo-2',
      almanac_release: 'keep 2026-01-01T00:00:00Z',
    });
    heat.data.detach('v');
    const document = documentWith({ Files0Ofweb: { ...volume(20), external_id: 'v' } });
    expect(await apply(heat, document)).toEqual({ accepted: true });
    expect(heat.data.volumes[0]?.metadata).toMatchObject({ almanac_stack: 'mo-1', almanac_release: '' });
    heat.data.volumes = [];
    expect(await apply(heat, document)).toMatchObject({
      reason: expect.stringContaining('no longer exists'),
    });
  });
});

describe('a server outside groups that is in an error after a failed change', () => {
  it('is not replaced by Heat: its disk may be needed', async () => {
    const server = documentWith({ Instance0Ofweb: { type: 'OS::Nova::Server', properties: {} } });
    const heat = heatWith(server);
    heat.resources[0]!.resource_status = 'UPDATE_FAILED';
    heat.servers = ['id-of-Instance0Ofweb'];
    await apply(heat, server);
    expect(heat.statusOf('Instance0Ofweb')).toBe('CHECK_COMPLETE');
  });
});
