import { entryOf } from '../../../basics/entry-of.ts';
import { at, type Problem } from '../../../basics/problem.ts';
import type { Architecture, ChosenImage } from '../choices.ts';
import { ignoreError } from '../errors.ts';
import type { Region } from '../region.ts';
import type { Place } from './places.ts';
import { readCached } from './read-cached.ts';

/** The public parameter with the newest Amazon Linux image. */
const imageParameter = (architecture: Architecture): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${architecture}`;

const readImage = (region: Region, architecture: Architecture): Promise<string | undefined> =>
  readCached(region, `image for ${architecture}`, async () => {
    const ssm = await region.clients.ssm();
    const response = await ignoreError({ name: /^ParameterNotFound$/ }, () =>
      ssm.getParameter({ Name: imageParameter(architecture) }),
    );
    return response?.Parameter?.Value;
  });

interface Images {
  images: Record<string, ChosenImage>;
  problems: Problem[];
}

interface ImageInput {
  /** Layers without an image. */
  places: readonly Place[];
  architectures: Readonly<Record<string, Architecture>>;
  before: Readonly<Record<string, ChosenImage>>;
}

/**
 * Chooses an image for each layer that specifies none. An earlier choice is kept as long as the layer's servers can run
 * it: another image would replace all servers.
 */
export async function chooseImages(
  region: Region,
  { places, architectures, before }: ImageInput,
): Promise<Images> {
  const images: Images['images'] = {};
  const problems: Problem[] = [];
  for (const { path, flag, type } of places) {
    const architecture = entryOf(architectures, type);
    // The type is already reported as a problem.
    if (!architecture) continue;
    const decided = before[flag]?.architecture === architecture ? before[flag] : undefined;
    const id = decided?.id ?? (await readImage(region, architecture));
    if (id) images[flag] = { id, architecture };
    else problems.push({ path: at(path, 'machineImage'), message: noImage(region, architecture) });
  }
  return { images, problems };
}

const noImage = ({ name }: Region, architecture: Architecture): string =>
  `AWS has no Amazon Linux 2023 image for ${architecture} in ${name}. Specify an image for the layer.`;
