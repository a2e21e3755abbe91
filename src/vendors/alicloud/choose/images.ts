import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { Architecture } from '../choices.ts';
import type { DecideInput } from './decide-input.ts';

interface ImageWish {
  /** What the document names. */
  asked: string | null;
  path: string;
  type: string;
  architecture: Architecture;
  /** The image of the version before, if the document named the same. */
  before: string | undefined;
}

/** A newer system image is taken for new layers only: another image replaces the disks of servers. */
export function chooseImage(wish: ImageWish, { offer, model }: DecideInput): Outcome<string> {
  const { asked, path, type, architecture, before } = wish;
  const refuse = (message: string): Outcome<never> => reject([{ path, message }]);
  if (asked === null) {
    const image = before ?? offer.systemImages[architecture]?.id;
    if (image !== undefined) return succeed(image);
    return refuse(`${model.region} has no system image for ${architecture} servers. Name an image.`);
  }
  // It may be retired since, which does not concern an update that keeps it.
  if (before === asked) return succeed(asked);
  const found = offer.images.find(({ id }) => id === asked);
  if (!found)
    return refuse(
      `There is no image ${asked} in ${model.region}. Use the id of an image of Alibaba Cloud, or leave it out for Alibaba Cloud Linux.`,
    );
  if (found.architecture === architecture) return succeed(asked);
  return refuse(
    `Image ${asked} is for ${found.architecture}, but ${type} has ${architecture} processors. Use another image or type.`,
  );
}
