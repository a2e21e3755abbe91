import type { Outcome } from '../basics/problem.ts';
import type { StackModel } from '../model/stack-model.ts';
import type { VendorChoices, VendorDocument } from './stack-on-vendor.ts';
import type { VendorAccess } from './vendor-access.ts';

/** A sentence about one member of a model. `path` is a path of the model. */
export interface Remark {
  path: string;
  message: string;
}

/** The part of a vendor that says what becomes of a model there, without a credential. */
export interface PortableVendor {
  /**
   * Pure. The choices of a cloud that offers everything the model names, instead of `choose` where no cloud is asked. Rejects only what
   * no cloud of the vendor offers.
   */
  assume?(model: StackModel): Outcome<VendorChoices>;
  /** The regions of the cloud of a credential, for vendors whose catalog has none. */
  listRegions?(access: VendorAccess): Promise<readonly string[]>;
  /** Pure. What the cloud takes in another way than the model says. The document is that of a new stack. */
  changes?(model: StackModel, document: VendorDocument): readonly Remark[];
}
