import { isObject } from '../../../basics/is-object.ts';
import type { Template, TemplateResource } from '../document.ts';

/** `${Name}` and `${Name.Attribute}` in the text of a Fn::Sub; `${!Name}` is plain text. */
const namesInText = (text: unknown): string[] =>
  [...String(text).matchAll(/\$\{([A-Za-z0-9]+)(?:\.[^}]*)?\}/g)].map((match) => match[1] ?? '');

/** Every name that a value refers to. Parameters are among them. */
export function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'Ref') return [String(member)];
    if (key === 'Fn::GetAtt' && Array.isArray(member)) return [String(member[0])];
    return key === 'Fn::Sub' ? namesInText(member) : namesIn(member);
  });
}

/** The resources of the template on which a resource depends, sorted. */
export const dependenciesOf = (
  { Resources }: Pick<Template, 'Resources'>,
  { DependsOn: explicit = [], Properties }: TemplateResource,
): string[] =>
  [...new Set([...explicit, ...namesIn(Properties)])]
    .filter((name) => Object.hasOwn(Resources, name))
    .toSorted();

/** Resources that depend on each other in a circle, in order; undefined: there are none. */
export function findCycle(template: Pick<Template, 'Resources'>): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    const resource = template.Resources[name];
    if (!resource || done.has(name)) return undefined;
    for (const other of dependenciesOf(template, resource)) {
      const cycle = visit(other, [...above, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(template.Resources)) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return undefined;
}
