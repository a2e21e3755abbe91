import { Failure, type StoreToConfirm } from '../../../basics/failure.ts';
import { newVersionId } from '../../../model/names.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import {
  findVersion,
  insertVersionSecrets,
  readVersionSecrets,
  type VersionRow,
} from '../../../store/stacks/versions.ts';
import type { PlannedChange, Vendor, VendorDocument } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { planUpdate } from '../read/preview-template.ts';
import type { NewVersion } from '../submit/new-version.ts';
import { findUpdatable, type Submitted, submitVersion } from '../submit/submit-document.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import { choicesAgain, requireCurrentChoices, retryOnConflict } from '../submit/vendor-choices.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';

/** `rolling`: a group replaces its instances one after the other. `replace`: all servers of the layer are replaced, at once. */
type ImageEffect = 'none' | 'rolling' | 'replace';

interface LayerImage {
  flag: string;
  image: string;
  newest: string;
  effect: ImageEffect;
}

interface ImagePlan {
  stack: StackRow;
  vendor: Vendor;
  current: VersionRow;
  choices: NonNullable<unknown>;
  wanted: VendorDocument;
  images: LayerImage[];
}

/** Asks the cloud for its newest images, for the layers that specify none. */
async function planRefresh(service: Service, actor: Actor, stackId: string): Promise<ImagePlan> {
  const { query } = service.database;
  const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
  const vendor = await vendorOf(service, stack);
  const current = await findVersion(query, stackId, stack.desired_version);
  if (!current) throw new Failure('internal', `Version ${stack.desired_version} is not in the store`);
  const choices = await choicesAgain(service, stack, current);
  if (!choices || !vendor.images)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} chooses no machine images`);
  const compiled = vendor.compile(current.model, stackId, choices);
  if (!compiled.ok) return refuseDocument(compiled.problems);
  const wanted = compiled.value;
  const images = compareImages(current.model, {
    before: vendor.images.read(current.vendor_document),
    after: vendor.images.read(wanted),
  });
  return { stack, vendor, current, choices, wanted, images };
}

type Images = Readonly<Record<string, string>>;

const compareImages = (
  { layers }: StackModel,
  { before, after }: { before: Images; after: Images },
): LayerImage[] =>
  layers.flatMap(({ flag, capacity }) => {
    const newest = after[flag];
    if (newest === undefined) return [];
    const image = before[flag] ?? '';
    const changed = capacity.kind === 'group' ? 'rolling' : 'replace';
    return [{ flag, image, newest, effect: image === newest ? 'none' : changed }];
  });

export interface RefreshPreview {
  images: readonly LayerImage[];
  changes: readonly PlannedChange[];
  warnings: string[];
  data: readonly StoreToConfirm[];
}

/** What `refreshImages` would do. Writes nothing. */
export async function previewRefresh(
  service: Service,
  actor: Actor,
  stackId: string,
): Promise<RefreshPreview> {
  const { stack, vendor, current, wanted, images } = await planRefresh(service, actor, stackId);
  const before = current.vendor_document;
  const { changes, warnings, data } = await planUpdate(service, { stack, vendor, before, wanted });
  const sentences = data.map(({ sentence }) => sentence);
  return { images, changes, warnings: [...warnings, ...sentences], data };
}

export interface RefreshRequest {
  stackId: string;
  conditions?: WriteConditions | undefined;
}

/** Submits a version with the same document and the newest images; or refuses, with the way to confirm. */
export const refreshImages = (service: Service, actor: Actor, request: RefreshRequest): Promise<Submitted> =>
  retryOnConflict(async () => {
    const { stackId, conditions } = request;
    const plan = await planRefresh(service, actor, stackId);
    if (plan.images.every(({ effect }) => effect === 'none'))
      throw new Failure('conflict', `Stack ${stackId} has the newest images already`, {
        description: 'Nothing was changed. Images that the template specifies are changed in the template.',
      });
    return submitVersion(service, actor, {
      stackId,
      language: 'v3',
      make: (_query, stack) => {
        requireCurrentChoices(stack, { version: plan.current.id, choices: plan.choices });
        return versionOf(service, actor, plan);
      },
      conditions,
    });
  });

/** A copy of the current version, with its secrets and another vendor document. */
function versionOf(service: Service, actor: Actor, { vendor, current, wanted }: ImagePlan): NewVersion {
  const { number: _, size: __, skip_resources: ___, ...copy } = current;
  const row = {
    ...copy,
    id: newVersionId(),
    vendor_document: wanted,
    cause: '',
    returned_from: null,
    created_by: nameOf(actor),
    created_at: service.clock.now(),
  };
  return {
    row,
    message: `${nameOf(actor)} asked to refresh the machine images.`,
    passwordsFromVendor: vendor.makesDatabasePasswords ?? false,
    keepSecrets: async (query) =>
      insertVersionSecrets(query, row.id, await readVersionSecrets(query, current.id)),
  };
}
