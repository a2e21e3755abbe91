import type { StackModel } from '../../../model/stack-model.ts';
import type { CredentialRow } from '../../../store/access/credentials.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import type { Vendor, VendorChoices, VendorDocument } from '../../../vendors/vendor.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from './refuse-document.ts';
import { accessWith, credentialOf, vendorOf } from './vendor-access.ts';

/** What the cloud was asked before a version is made; nothing where a vendor needs no asking. */
export type Decided = VendorChoices | undefined;

async function choose(
  service: Service,
  vendor: Vendor,
  credential: CredentialRow,
  model: StackModel,
  before: VendorDocument | null,
): Promise<Decided> {
  const ask = vendor.choose?.bind(vendor);
  if (!ask) return undefined;
  const chosen = await askVendor(() => ask(accessWith(service, credential), model, before));
  return chosen.ok ? chosen.value : refuseDocument(chosen.problems);
}

/** Not inside a transaction: clouds are slow. */
export const choicesForNew = (
  service: Service,
  { vendor, credential }: { vendor: Vendor; credential: CredentialRow },
  model: StackModel,
): Promise<Decided> => choose(service, vendor, credential, model, null);

/** What was decided for a stack as it stood at a version. */
export interface DecidedAt {
  version: string;
  decided: Decided;
}

/** Somebody changed the stack after the cloud was asked about it. */
class Overtaken extends Error {}

/** Inside the transaction that makes the version: was it this stack the cloud was asked about? */
export function decidedFor(stack: StackRow, { version, decided }: DecidedAt): Decided {
  if (decided !== undefined && version !== stack.desired_version) throw new Overtaken();
  return decided;
}

const maxTries = 10;

/** Asks the cloud, then changes the stack; where somebody else changed it in between, once more from the beginning. */
export async function retryOnConflict<T>(tryOnce: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await tryOnce();
    } catch (cause) {
      if (!(cause instanceof Overtaken) || tries === maxTries) throw cause;
    }
}

/** Not inside a transaction. What the stack's present version decided stays decided. */
export async function choicesForUpdate(
  service: Service,
  stack: StackRow,
  model: StackModel,
): Promise<Decided> {
  const { query } = service.database;
  const vendor = await vendorOf(service, stack);
  if (!vendor.choose) return undefined;
  const current = await findVersion(query, stack.id, stack.desired_version);
  const before = current?.vendor_document ?? null;
  return choose(service, vendor, await credentialOf(query, stack), model, before);
}
