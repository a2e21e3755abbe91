import type { OpenStackDocument, Properties, TemplateResource } from '../document.ts';
import { volumeType } from './stores.ts';

/** A kept volume is used again as it is. */
const fromVolume = (resource: TemplateResource, id: string): TemplateResource => ({
  ...resource,
  external_id: id,
});

/** The backup has the application's database and user already, and Trove fails if it is to make them again. */
const fromBackup = (resource: TemplateResource, id: string): TemplateResource => {
  const { databases: _, users: __, ...properties } = resource.properties ?? {};
  return { ...resource, properties: { ...(properties as Properties), restore_point: id } };
};

/** Resources of this type, made from kept data. */
const made: Readonly<Record<string, (resource: TemplateResource, reference: string) => TemplateResource>> = {
  [volumeType]: fromVolume,
  'OS::Trove::Instance': fromBackup,
};

/** The document with these resources made from kept data. The next version reads them from the choices: without them it would replace the data. */
export function restore(
  document: OpenStackDocument,
  references: ReadonlyMap<string, string>,
): OpenStackDocument {
  const { template, choices } = document;
  const restored = Object.entries(template.resources).flatMap(([name, resource]) => {
    const reference = references.get(name);
    const make = made[resource.type];
    return reference === undefined || !make ? [] : [{ name, reference, resource: make(resource, reference) }];
  });
  const byName = <T>(value: (each: (typeof restored)[number]) => T): Record<string, T> =>
    Object.fromEntries(restored.map((each) => [each.name, value(each)]));
  return {
    ...document,
    template: { ...template, resources: { ...template.resources, ...byName(({ resource }) => resource) } },
    choices: { ...choices, restored: { ...choices.restored, ...byName(({ reference }) => reference) } },
  };
}
