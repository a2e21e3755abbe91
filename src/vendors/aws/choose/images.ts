import { at, type Problem } from '../../../basics/problem.ts';
import type { Architecture, ChosenImage } from '../choices.ts';
import type { Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';
import type { Place } from './places.ts';
import { readOnce } from './read-once.ts';

/** The newest Amazon Linux, as AWS publishes it for everyone. */
const imageParameter = (architecture: Architecture): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${architecture}`;

const readImage = (region: Region, architecture: Architecture): Promise<string | undefined> =>
  readOnce(region, `image for ${architecture}`, async () => {
    const ssm = await region.clients.ssm();
    const told = await tolerate({ name: /^ParameterNotFound$/ }, () =>
      ssm.getParameter({ Name: imageParameter(architecture) }),
    );
    return told?.Parameter?.Value;
  });

interface Images {
  images: Record<string, ChosenImage>;
  problems: Problem[];
}

/**
 * An image for each layer that names none. One that was decided stays for as long as the layer's servers can run it:
 * another one would replace them all.
 */
export async function chooseImages(
  region: Region,
  places: readonly Place[],
  architectures: Readonly<Record<string, Architecture>>,
  before: Readonly<Record<string, ChosenImage>>,
): Promise<Images> {
  const images: Images['images'] = {};
  const problems: Problem[] = [];
  for (const { path, flag, type } of places) {
    const architecture = architectures[type];
    // Its type has a problem already.
    if (!architecture) continue;
    const decided = before[flag]?.architecture === architecture ? before[flag] : undefined;
    const id = decided?.id ?? (await readImage(region, architecture));
    if (id) images[flag] = { id, architecture };
    else problems.push({ path: at(path, 'machineImage'), message: noImage(region, architecture) });
  }
  return { images, problems };
}

const noImage = ({ name }: Region, architecture: Architecture): string =>
  `AWS publishes no Amazon Linux 2023 for ${architecture} in ${name}. Name an image for the layer.`;
