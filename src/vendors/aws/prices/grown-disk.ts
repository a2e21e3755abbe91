import type { Choices } from '../choices.ts';
import type { Json, TemplateResource } from '../document.ts';
import { listOf, membersOf } from './template-values.ts';

/** The volume with the files of a server has the number and the layer of the server in its name. */
const serverOf = (id: string): string => id.replace(/^Files[a-z0-9]*[a-z](?=\d+Of)/, 'Instance');

/** A server or volume with the size to which it was grown, which its template does not have. Earlier releases grew none. */
export function withGrownDisk(
  choices: Partial<Choices> | undefined,
  id: string,
  resource: TemplateResource,
): TemplateResource {
  const { sizeGib } = choices?.disks?.[serverOf(id)] ?? {};
  if (sizeGib === undefined) return resource;
  const [mapping] = listOf(resource.Properties?.['BlockDeviceMappings']);
  if (mapping === undefined) return { ...resource, Properties: { ...resource.Properties, Size: sizeGib } };
  const Ebs = { ...membersOf(membersOf(mapping)['Ebs']), VolumeSize: sizeGib };
  const BlockDeviceMappings = [{ ...membersOf(mapping), Ebs }] as Json;
  return { ...resource, Properties: { ...resource.Properties, BlockDeviceMappings } };
}
