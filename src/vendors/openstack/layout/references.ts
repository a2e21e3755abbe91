import { isObject } from '../../../basics/is-object.ts';
import { findCycle as cycleIn, dependenciesAmong } from '../../shared/template/references.ts';
import type { Template, TemplateResource } from '../document.ts';

/** Every name that a value refers to. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'get_resource' && typeof member === 'string') return [member];
    if (key === 'get_attr' && Array.isArray(member)) return [String(member[0])];
    return namesIn(member);
  });
}

/** The resources of the template on which a resource depends, sorted. */
export const dependenciesOf = (
  { resources }: Pick<Template, 'resources'>,
  { depends_on: explicit = [], properties }: TemplateResource,
): string[] => dependenciesAmong(resources, [...explicit, ...namesIn(properties)]);

/** Resources that depend on each other in a circle, in order; undefined: there are none. */
export const findCycle = (template: Pick<Template, 'resources'>): string[] | undefined =>
  cycleIn(template.resources, (resource) => dependenciesOf(template, resource));
