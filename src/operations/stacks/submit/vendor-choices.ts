import { startedVersion } from '../../../data/at-vendor.ts';
import type { Compiled } from '../../../languages/language.ts';
import type { CredentialRow } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, type VersionRow } from '../../../store/stacks/versions.ts';
import type { Vendor, VendorChoices, VendorDocument } from '../../../vendors/vendor.ts';
import { askVendor } from '../../ask-vendor.ts';
import { refuseModel } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { accessWith, pinnedCredentialOf, vendorOf } from './vendor-access.ts';

interface OpenChoices {
  vendor: Vendor;
  credential: CredentialRow;
  compiled: Pick<Compiled, 'model' | 'locate'>;
  /** Document of the version before; its choices stay as they are. */
  before: VendorDocument | null;
}

async function choose(
  service: Service,
  { vendor, credential, compiled, before }: OpenChoices,
): Promise<VendorChoices | undefined> {
  const ask = vendor.choose?.bind(vendor);
  if (!ask) return undefined;
  const chosen = await askVendor(service, credential.account_id, () =>
    ask(accessWith(service, credential), compiled.model, before),
  );
  return chosen.ok ? chosen.value : refuseModel(compiled, chosen.problems);
}

/** Not inside a transaction: clouds are slow. Returns undefined if the vendor has no choices to make. */
export const choicesForNew = (
  service: Service,
  { vendor, credential }: { vendor: Vendor; credential: CredentialRow },
  compiled: Compiled,
): Promise<VendorChoices | undefined> => choose(service, { vendor, credential, compiled, before: null });

/** Not inside a transaction. Keeps the choices of the version that exists. */
export async function choicesForUpdate(
  service: Service,
  stack: StackRow,
  compiled: Compiled,
): Promise<VendorChoices | undefined> {
  const { query } = service.database;
  const vendor = await vendorOf(service, stack);
  if (!vendor.choose) return undefined;
  const before = await existingDocument(query, stack);
  return choose(service, { vendor, credential: await pinnedCredentialOf(service, stack), compiled, before });
}

/** Old versions are pruned: choices as for a new stack would replace the servers of one that exists. */
async function existingDocument(query: Query, stack: StackRow): Promise<VendorDocument | null> {
  const started = startedVersion(stack);
  if (started === null) return null;
  const candidates = [started, stack.settled_version ?? started, stack.desired_version];
  for (const id of new Set(candidates)) {
    const version = await findVersion(query, stack.id, id);
    if (version) return version.vendor_document;
  }
  return null;
}

/** Not inside a transaction. Makes the choices that become old again; undefined if the vendor makes none. */
export async function choicesAgain(
  service: Service,
  stack: StackRow,
  { model, vendor_document: current }: VersionRow,
): Promise<VendorChoices | undefined> {
  const vendor = await vendorOf(service, stack);
  if (!vendor.images) return undefined;
  const credential = await pinnedCredentialOf(service, stack);
  const compiled = { model, locate: (path: string) => path };
  return choose(service, { vendor, credential, compiled, before: vendor.images.forget(current) });
}

/** Choices, and the version of the stack they were made for. */
export interface ChoicesAtVersion {
  version: string;
  choices: VendorChoices | undefined;
}

/** The stack changed after the vendor made its choices. */
class StaleChoices extends Error {}

/** Throws, for `retryOnConflict`, if the stack desires another version by now. Call it inside the transaction. */
export function requireVersion(stack: StackRow, version: string): void {
  if (version !== stack.desired_version) throw new StaleChoices();
}

/** Throws, for `retryOnConflict`, if the choices were made for another version. Call it inside the transaction. */
export function requireCurrentChoices(stack: StackRow, { version, choices }: ChoicesAtVersion): void {
  if (choices !== undefined) requireVersion(stack, version);
}

const maxTries = 10;

/** Runs an attempt again if another request changed the stack between its choices and its transaction. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleChoices) || tries === maxTries) throw error;
    }
}
