import type { Service } from '../../src/operations/service.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';

/**
 * Lets the sandbox plan to replace databases on every change, as a vendor does that compiles the same document differently than
 * before. What it plans is a stand-in; stacks, stores and the ledger are real. The result ends it.
 */
export function replaceDatabases(service: Service, keptAs: string): () => void {
  const vendors = service.vendors as Map<string, Vendor>;
  const sandbox = vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  vendors.set('sandbox', {
    ...sandbox,
    replacedStores: async ({ before }) =>
      sandbox
        .storesOf(before)
        .filter(({ kind }) => kind === 'database')
        .map(({ resource }) => resource),
    keptAs: () => keptAs,
  });
  return () => void vendors.set('sandbox', sandbox);
}
