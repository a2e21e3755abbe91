import { isObject } from '../../../basics/is-object.ts';
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
): string[] =>
  [...new Set([...explicit, ...namesIn(properties)])]
    .filter((name) => Object.hasOwn(resources, name))
    .toSorted();

/** Resources that depend on each other in a circle, in order; undefined: there are none. */
export function findCycle(template: Pick<Template, 'resources'>): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    const resource = template.resources[name];
    if (!resource || done.has(name)) return undefined;
    for (const other of dependenciesOf(template, resource)) {
      const cycle = visit(other, [...above, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(template.resources)) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return undefined;
}
