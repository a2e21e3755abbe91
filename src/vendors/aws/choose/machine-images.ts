import type { Image } from '@aws-sdk/client-ec2';
import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices, MachineImage } from '../choices.ts';
import { ask } from '../errors.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { hasServers } from '../layout/placement.ts';
import type { Region } from '../region.ts';
import { readOnce } from './read-once.ts';

interface Asked {
  model: StackModel;
  /** Those that were chosen where a layer names none. */
  images: Choices['images'];
  architectures: Choices['architectures'];
  before: Choices['machineImages'];
}

interface Known {
  machineImages: Record<string, MachineImage>;
  problems: Problem[];
}

/** What must be known of the images servers are made from. What was known stays: an image never changes. */
export async function readMachineImages(region: Region, asked: Asked): Promise<Known> {
  const { model, images, before } = asked;
  const named = model.layers.filter(hasServers).flatMap(({ machineImage }) => machineImage ?? []);
  const chosen = Object.values(images).map(({ id }) => id);
  const isNew = (id: string): boolean => before[id] === undefined;
  const found = [
    // Asked anew each time: whoever was refused for want of one makes or shares it and tries again.
    ...(await describeImages(region, named.filter(isNew))),
    ...(await describeOnce(region, chosen.filter(isNew))),
  ];
  const known = { ...before, ...Object.fromEntries(found) };
  const wanted = [...new Set([...named, ...chosen])].toSorted();
  const machineImages = Object.fromEntries(
    wanted.flatMap((id): [string, MachineImage][] => (known[id] ? [[id, known[id]]] : [])),
  );
  return { machineImages, problems: imageProblems(region, asked, machineImages) };
}

type Described = [id: string, image: MachineImage];

/** By a filter, not by name: one image AWS does not know would make it refuse them all. */
async function describeImages({ clients }: Region, ids: readonly string[]): Promise<Described[]> {
  if (ids.length === 0) return [];
  const ec2 = await clients.ec2();
  const told = await ask(() =>
    ec2.describeImages({
      Filters: [
        { Name: 'image-id', Values: [...new Set(ids)].toSorted() },
        { Name: 'state', Values: ['available'] },
      ],
      IncludeDeprecated: true,
    }),
  );
  return (told.Images ?? []).flatMap(readImage);
}

const describeOnce = async (region: Region, ids: readonly string[]): Promise<Described[]> =>
  ids.length === 0
    ? []
    : readOnce(region, `images ${ids.toSorted().join()}`, () => describeImages(region, ids));

const readImage = ({ ImageId, Architecture, RootDeviceName }: Image): Described[] =>
  ImageId && Architecture && RootDeviceName
    ? [[ImageId, { architecture: Architecture, rootDevice: RootDeviceName }]]
    : [];

/** Images that were chosen fit: they were looked for by the architecture. */
function imageProblems(
  { name }: Region,
  { model, architectures }: Asked,
  known: Readonly<Record<string, MachineImage>>,
): Problem[] {
  return model.layers.flatMap((layer, index) => {
    const { machineImage: id } = layer;
    if (id === null || !hasServers(layer)) return [];
    const path = at('layers', index, 'machineImage');
    const image = known[id];
    if (!image)
      return [{ path, message: `There is no machine image ${id} in ${name} that the account can use.` }];
    const type = instanceTypeOf(layer);
    const architecture = architectures[type];
    // A type that is not to be had has its problem already.
    if (architecture === undefined || architecture === image.architecture) return [];
    const message =
      `Machine image ${id} is made for ${image.architecture}, but ${type} runs ${architecture}. ` +
      'Name another image, or another instance type.';
    return [{ path, message }];
  });
}
