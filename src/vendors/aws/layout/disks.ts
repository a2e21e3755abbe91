import { entryOf } from '../../../basics/entry-of.ts';
import { isObject } from '../../../basics/is-object.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { catalog, volumeTypes } from '../catalog.ts';
import type { Choices, ServerDisk } from '../choices.ts';
import type { AwsDocument, Properties, TemplateResource } from '../document.ts';
import * as names from '../names.ts';

/** Disks of servers outside groups. Existing ones keep the size in the template, and are grown in place. */

export const instanceNames = ({ flag, capacity }: Layer): string[] =>
  capacity.kind === 'fixed'
    ? Array.from({ length: capacity.count }, (_, index) => names.instance(flag, index))
    : [];

const wantsFiles = ({ container }: Layer): boolean => container?.storage?.kind === 'local';

/** The type and size that a layer asks for. */
export const wantedDisk = ({ volume }: Layer): { type: string; sizeGib: number } => ({
  type: volume.type ?? catalog.defaultVolumeType,
  sizeGib: volume.sizeGib ?? catalog.defaultVolumeGib,
});

function decideDisk(layer: Layer, kept: ServerDisk | undefined): ServerDisk {
  const { type, sizeGib } = wantedDisk(layer);
  const files = kept?.files ?? wantsFiles(layer);
  return { type, sizeGib, files, madeGib: kept?.type === type ? kept.madeGib : sizeGib };
}

export const decideDisks = ({ layers }: StackModel, { disks }: Pick<Choices, 'disks'>): Choices['disks'] =>
  Object.fromEntries(
    layers.flatMap((layer) => instanceNames(layer).map((id) => [id, decideDisk(layer, disks[id])])),
  );

/** The disks of a document. Those of earlier releases are in the template alone. */
export const disksIn = ({ template, choices }: AwsDocument): Choices['disks'] =>
  (choices as Partial<Choices> | undefined)?.disks ??
  Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::EC2::Instance')
      .map(([id, server]) => [id, diskIn(server)]),
  );

function diskIn({ Properties = {} }: TemplateResource): ServerDisk {
  const [mapping] = [Properties['BlockDeviceMappings']].flat();
  const disk = isObject(mapping) && isObject(mapping['Ebs']) ? mapping['Ebs'] : {};
  const sizeGib = Number(disk['VolumeSize'] ?? catalog.defaultVolumeGib);
  const { VolumeType: type } = disk;
  return {
    type: typeof type === 'string' ? type : catalog.defaultVolumeType,
    madeGib: sizeGib,
    sizeGib,
    files: false,
  };
}

/** Operations per second of a volume, for the types that need the number. */
export function iopsOf(type: string, gib: number): Properties {
  const { iops } = entryOf(volumeTypes, type) ?? {};
  return iops ? { Iops: Math.min(iops.max, Math.max(iops.min, gib * iops.perGib)) } : {};
}
