import type { Service } from '../../src/operations/service.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';

/** Lets the sandbox accept resources to skip, as AWS does. It can undo every update, so it skips none. */
export function canSkipResources(service: Service): void {
  const vendors = service.vendors as Map<string, Vendor>;
  const sandbox = vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  vendors.set('sandbox', { ...sandbox, skipsResources: true });
}
