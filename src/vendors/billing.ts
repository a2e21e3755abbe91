import type { Billable, PriceSheet } from '../model/cost.ts';
import type { VendorDocument } from './stack-on-vendor.ts';

/** Where to read a vendor's price list. */
export interface PriceListSource {
  /** A directory or a URL; undefined: the vendor's own. */
  from: string | undefined;
  /** Empty: all regions, which only a directory allows. */
  regions: readonly string[];
}

/** How a vendor bills resources. */
export type Billing =
  /** Nothing is billed, or nothing exists. `note`: a sentence for users. */
  | { kind: 'free' | 'simulated'; note: string }
  | {
      kind: 'priced';
      /** The prices that come with this build: few, and as old as their date. */
      shipped: readonly PriceSheet[];
      /** What the numbers include and exclude; sentences for users. */
      assumptions: readonly string[];
      billables(document: VendorDocument): readonly Billable[];
      /** Reads only what `billables` can ask for. Several sheets may have the same region and offer. */
      readPriceList(source: PriceListSource): AsyncIterable<PriceSheet>;
    };
