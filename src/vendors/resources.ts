import type { ResourceKind } from '../model/status.ts';
import type { VendorDocument } from './stack-on-vendor.ts';

/** One resource of a vendor document. */
export interface DeclaredResource {
  /** As in the events of the vendor. */
  name: string;
  type: string;
  kind: ResourceKind;
  /** The flag of the layer it belongs to; null: it belongs to the whole stack, or to a database or a cache. */
  layer: string | null;
  /** Names of resources of the same document, sorted. */
  dependsOn: readonly string[];
  /** Changes when the vendor has to change the resource. Never shown to a caller. */
  definition: unknown;
}

/** The part of a vendor that knows the resources of a document. */
export interface ResourceVendor {
  /** Pure. In the order of the document. `flags`: the layers of the document's model. */
  resources(document: VendorDocument, flags: readonly string[]): readonly DeclaredResource[];
}
