import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { preview, replacements } from '../../../src/vendors/alicloud/preview.ts';
import { fixedServers, sampleGroup, sampleModel } from '../sample-model.ts';
import { type CompileOptions, documentOf, nextDocument } from './compile-world.ts';

const changes = (before: StackModel, after: StackModel, options: CompileOptions = {}) => {
  const existing = documentOf(before);
  return preview(existing, nextDocument(existing, after, options)).map(
    ({ action, resource, members, warning }) =>
      [action, resource, members.join(' '), warning].filter((each) => each !== '').join(' | '),
  );
};
const withLayer = (changed: Partial<Layer>): StackModel => fixedServers(1, changed);
const withGroup = (changed: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [{ ...sampleGroup(1, 0), ...changed }] });

describe('the preview of an update', () => {
  it('of nothing is empty, and of a new stack lists every resource', () => {
    expect(changes(sampleModel(), sampleModel())).toEqual([]);
    const document = documentOf(sampleModel());
    const added = preview(null, document);
    expect(added.map(({ resource }) => resource)).toEqual(Object.keys(document.template.Resources));
    expect(new Set(added.map(({ action }) => action))).toEqual(new Set(['add']));
  });

  it('changes the type of fixed servers in place, with a restart, and their image too', () => {
    expect(changes(sampleModel(), withLayer({ instanceType: 'ecs.g7.large' }))).toEqual([
      'change | InstancesWeb0 | InstanceType Tags | Its servers are stopped and started.',
    ]);
    expect(changes(sampleModel(), withLayer({ machineImage: 'm-1' }))).toEqual([
      'change | InstancesWeb0 | ImageId Tags | Its servers are stopped and started.',
    ]);
  });

  it('says that the cloud chooses which of the fixed servers go', () => {
    expect(changes(fixedServers(3), fixedServers(2))).toEqual([
      'change | InstancesWeb0 | MaxAmount | Alibaba Cloud chooses which servers it removes.',
    ]);
  });

  it('replaces fixed servers that get or lose public addresses, and says what that interrupts', () => {
    const subnet = { cidr: '10.0.0.0/24', public: true, assignPublicIp: false };
    expect(changes(sampleModel(), withLayer({ subnet }))).toEqual([
      'replace | InstancesWeb0 | AllocatePublicIP InternetMaxBandwidthOut Tags | ' +
        'Its servers are deleted before the new ones are made.',
    ]);
  });

  it('says that servers of a group keep what they were made from', () => {
    expect(changes(withGroup(), withGroup({ instanceType: 'ecs.g7.large' }))).toEqual([
      'change | ScalingConfigurationWeb0 | InstanceTypes TagList | Servers that run keep what they were made from. Restart them one by one.',
    ]);
  });

  it('replaces a listener whose target changes, and closes its port for that time', () => {
    const { loadBalancer } = sampleGroup(1, 0);
    const listeners = [{ ...loadBalancer!.listeners[0]!, instancePort: 8080 }];
    expect(changes(withGroup(), withGroup({ loadBalancer: { ...loadBalancer!, listeners } }))).toContain(
      'replace | Listener80OfWeb0 | BackendServerPort | Its port is closed until the new listener is made.',
    );
  });

  it('follows references to what is replaced', () => {
    const before = documentOf(withGroup());
    const after = structuredClone(before);
    Object.assign(after.template.Resources['AutoScalingGroupWeb0']!.Properties, { GroupType: 'ECI' });
    expect(replacements(before.template, after.template)).toEqual([
      'AutoScalingGroupWeb0',
      'ScalingConfigurationWeb0',
      'ScalingEnableWeb0',
    ]);
  });
});
