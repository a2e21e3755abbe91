import type { ImageVendor } from '../images.ts';
import type { AwsDocument } from './document.ts';

/** Machine images that were chosen, and choosing them again. */
export const chosenImages: NonNullable<ImageVendor['images']> = {
  read: (document) => {
    const { images } = (document as AwsDocument).choices;
    return Object.fromEntries(Object.entries(images).map(([flag, { id }]) => [flag, id]));
  },
  forget: (document) => {
    const { choices, ...rest } = document as AwsDocument;
    return { ...rest, choices: { ...choices, images: {}, certificates: {} } };
  },
};
