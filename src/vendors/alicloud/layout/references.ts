import { isObject } from '../../../basics/is-object.ts';
import { findCycle as cycleIn, dependenciesAmong } from '../../shared/template/references.ts';
import type { Template, TemplateResource } from '../document.ts';

/** `${Name}` and `${Name.Attribute}` in the text of a Fn::Sub; `${!Name}` is plain text. */
const namesInText = (text: unknown): string[] =>
  [...String(text).matchAll(/\$\{([A-Za-z0-9]+)(?:\.[^${}]*)?\}/g)].map((match) => match[1] ?? '');

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
): string[] => dependenciesAmong(Resources, [...explicit, ...namesIn(Properties)]);

/** Resources that depend on each other in a circle, in order; undefined: there are none. */
export const findCycle = (template: Pick<Template, 'Resources'>): string[] | undefined =>
  cycleIn(template.Resources, (resource) => dependenciesOf(template, resource));
