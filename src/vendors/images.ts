import type { VendorDocument } from './stack-on-vendor.ts';

/** The part of a vendor that chooses machine images. */
export interface ImageVendor {
  /** For vendors that choose machine images: which ones, and choosing again. */
  images?: {
    /** The images of layers that specify none, by flag. */
    read(document: VendorDocument): Readonly<Record<string, string>>;
    /** The document without the choices that become old, images and certificates: `choose` then makes them again. */
    forget(document: VendorDocument): VendorDocument;
  };
}
