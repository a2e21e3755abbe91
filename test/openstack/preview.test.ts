import { expect, it } from 'vitest';
import type { Layer, StackModel } from '../../src/model/stack-model.ts';
import type { OpenStackDocument } from '../../src/vendors/openstack/document.ts';
import { preview } from '../../src/vendors/openstack/preview.ts';
import { documentOf, nextDocument } from '../vendors/openstack/compile-world.ts';
import { fixedServers, sampleModel } from '../vendors/sample-model.ts';
import { requestFor } from './world/golden-requests.ts';
import { Heat, slowly } from './world/heat.ts';
import { describeOnFullRig } from './world/rig.ts';

/** Servers without agents: nothing waits for them. */
const options = { baseUrl: 'http://localhost' };
const volume = (sizeGib: number) => ({ volume: { type: null, sizeGib } });
const subnet = { cidr: '10.0.7.0/24', public: true, assignPublicIp: true };
const layer = (changes: Partial<Layer>): StackModel => fixedServers(1, changes);
const rules = { ingress: [], egress: [] };

/** Each is an update of the one before. */
const versions: readonly [what: string, model: StackModel][] = [
  ['a larger type', layer({ instanceType: 't2.medium' })],
  ['tags', { ...layer({ instanceType: 't2.medium' }), tags: { team: 'shop' } }],
  ['other rules', layer({ securityGroup: rules })],
  ['another image', layer({ securityGroup: rules, machineImage: 'cirros' })],
  ['a volume', layer({ machineImage: 'cirros', ...volume(20) })],
  ['an image for the volume', layer({ machineImage: 'debian-12', ...volume(20) })],
  ['another block of addresses', layer({ machineImage: 'debian-12', subnet, ...volume(20) })],
  ['no key pair', layer({ machineImage: 'debian-12', subnet, keyPair: false, ...volume(20) })],
  ['a second server', fixedServers(2, { machineImage: 'debian-12', subnet, keyPair: false, ...volume(20) })],
];

// Each step continues from the one before, so none can be retried.
describeOnFullRig('a preview says what Heat replaces:', { retry: 0 }, () => {
  let path = '';
  let current: OpenStackDocument = documentOf(sampleModel(), options);
  let heat: Heat;

  it('a stack is made', async () => {
    heat = await Heat.signIn();
    path = await heat.create(`preview-${process.pid}`, requestFor(current));
    await expect.poll(() => heat.statusOf(path), slowly).not.toMatch(/IN_PROGRESS/);
    expect(await heat.reasonOf(path)).toBe('Stack CREATE completed successfully');
  });

  it.each(versions)('for %s', async (_, model) => {
    const next = nextDocument(current, model, options);
    const before = await heat.idsOf(path);
    await heat.update(path, requestFor(next));
    await expect.poll(() => heat.statusOf(path), slowly).not.toMatch(/IN_PROGRESS/);
    expect(await heat.reasonOf(path)).toBe('Stack UPDATE completed successfully');
    const after = await heat.idsOf(path);
    const replaced = Object.keys(after).filter((name) => name in before && before[name] !== after[name]);
    const planned = preview(current, next);
    current = next;
    const named = (action: string) =>
      planned.filter((change) => change.action === action).map(({ resource }) => resource);
    expect(named('replace').toSorted()).toEqual(replaced.toSorted());
    expect(named('add').toSorted()).toEqual(
      Object.keys(after)
        .filter((name) => !(name in before))
        .toSorted(),
    );
    expect(named('remove').toSorted()).toEqual(
      Object.keys(before)
        .filter((name) => !(name in after))
        .toSorted(),
    );
  });

  it('the stack is removed', () => heat.remove(path));
});
