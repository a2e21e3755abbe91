import type { Image } from '@aws-sdk/client-ec2';
import { entryOf } from '../../../basics/entry-of.ts';
import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { hasServers } from '../../shared/layers.ts';
import type { Choices, MachineImage } from '../choices.ts';
import { callAws } from '../errors.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';

import type { Region } from '../region.ts';
import { readCached } from './read-cached.ts';

interface ImageQuery {
  model: StackModel;
  /** The images chosen for layers that specify none. */
  images: Choices['images'];
  architectures: Choices['architectures'];
  before: Choices['machineImages'];
}

interface MachineImages {
  machineImages: Record<string, MachineImage>;
  problems: Problem[];
}

/** Reads details of all images used. Details read before are reused: an image never changes. */
export async function readMachineImages(region: Region, query: ImageQuery): Promise<MachineImages> {
  const { model, images, before } = query;
  const named = model.layers.filter(hasServers).flatMap(({ machineImage }) => machineImage ?? []);
  const chosen = Object.values(images).map(({ id }) => id);
  const isNew = (id: string): boolean => before[id] === undefined;
  const found = [
    // Not cached: a user whose image was missing creates or shares it and retries.
    ...(await describeImages(region, named.filter(isNew))),
    ...(await describeOnce(region, chosen.filter(isNew))),
  ];
  const known = { ...before, ...Object.fromEntries(found) };
  const used = [...new Set([...named, ...chosen])].toSorted();
  const machineImages = Object.fromEntries(
    used.flatMap((id): [string, MachineImage][] => (known[id] ? [[id, known[id]]] : [])),
  );
  return { machineImages, problems: imageProblems(region, query, machineImages) };
}

type Described = [id: string, image: MachineImage];

/** Uses a filter instead of ids: with ids, one unknown image would fail the whole request. */
async function describeImages({ clients }: Region, ids: readonly string[]): Promise<Described[]> {
  if (ids.length === 0) return [];
  const ec2 = await clients.ec2();
  const response = await callAws(() =>
    ec2.describeImages({
      Filters: [
        { Name: 'image-id', Values: [...new Set(ids)].toSorted() },
        { Name: 'state', Values: ['available'] },
      ],
      IncludeDeprecated: true,
    }),
  );
  return (response.Images ?? []).flatMap(readImage);
}

const describeOnce = async (region: Region, ids: readonly string[]): Promise<Described[]> =>
  ids.length === 0
    ? []
    : readCached(region, `images ${ids.toSorted().join()}`, () => describeImages(region, ids));

const readImage = ({ ImageId, Architecture, RootDeviceName }: Image): Described[] =>
  ImageId && Architecture && RootDeviceName
    ? [[ImageId, { architecture: Architecture, rootDevice: RootDeviceName }]]
    : [];

/** Checks only images named in the model: chosen images were selected by architecture. */
function imageProblems(
  { name }: Region,
  { model, architectures }: ImageQuery,
  known: Readonly<Record<string, MachineImage>>,
): Problem[] {
  return model.layers.flatMap((layer, index) => {
    const { machineImage: id } = layer;
    if (id === null || !hasServers(layer)) return [];
    const path = at('layers', index, 'machineImage');
    const image = known[id];
    if (!image)
      return [{ path, message: `Machine image ${id} not found in ${name}, or not shared with the account.` }];
    const type = instanceTypeOf(layer);
    const architecture = entryOf(architectures, type);
    // An unavailable type is already reported as a problem.
    if (architecture === undefined || architecture === image.architecture) return [];
    const message =
      `Machine image ${id} is for ${image.architecture}, but instance type ${type} is ${architecture}. ` +
      'Choose another image or another instance type.';
    return [{ path, message }];
  });
}
