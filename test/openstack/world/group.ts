import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { documentOf, server } from './documents.ts';

/** A layer whose servers are members of a group. */
export function groupOf(stack: StackOnVendor, size: number): OpenStackDocument {
  const member = documentOf(
    { Instance: server(stack) },
    { 'OS::stack_id': { value: { get_resource: 'Instance' } } },
  );
  const group = {
    type: 'OS::Heat::AutoScalingGroup',
    properties: {
      min_size: size,
      max_size: size + 1,
      cooldown: 0,
      rolling_updates: { min_in_service: 1, max_batch_size: 1, pause_time: 0 },
      resource: { type: 'member-lone.yaml' },
    },
  };
  return { ...documentOf({ AutoScalingGrouplone: group }), files: { 'member-lone.yaml': member.template } };
}
