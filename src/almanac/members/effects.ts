import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../basics/is-object.ts';
import type { Template, TemplateResource } from '../../vendors/aws/document.ts';

/** What differs between two templates: properties by resource type. An empty property: the whole resource. */
export type Effects = Map<string, Set<string>>;

const add = (effects: Effects, type: string, property: string): void =>
  void effects.set(type, (effects.get(type) ?? new Set()).add(property));

/** The shortest paths of the members that differ; entries of lists have no numbers. */
function differences(before: unknown, after: unknown, path = ''): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((entry: unknown, index) => differences(entry, after[index], path));
  if (!isObject(before) || !isObject(after) || isFunction(before) || isFunction(after)) return [path];
  return Object.keys({ ...before, ...after }).flatMap((name) =>
    differences(before[name], after[name], path === '' ? name : `${path}/${name}`),
  );
}

/** A function of CloudFormation, such as `Ref`, is one value. */
const isFunction = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).some((name) => name === 'Ref' || name.startsWith('Fn::'));

function compareResources(effects: Effects, before: TemplateResource, after: TemplateResource): void {
  const { Type: _was, Properties: old = {}, DependsOn: _old, ...policies } = before;
  const { Type: type, Properties: now = {}, DependsOn: _new, ...newPolicies } = after;
  for (const property of [...differences(old, now), ...differences(policies, newPolicies)])
    add(effects, type, property);
}

/** Adds what differs between two templates. Explicit dependencies and internal outputs are left out. */
export function addEffects(effects: Effects, before: Template, after: Template): void {
  for (const id of Object.keys({ ...before.Resources, ...after.Resources })) {
    const [was, is] = [before.Resources[id], after.Resources[id]];
    if (was && is && was.Type === is.Type) compareResources(effects, was, is);
    else for (const resource of [was, is]) if (resource) add(effects, resource.Type, '');
  }
  for (const name of Object.keys({ ...before.Outputs, ...after.Outputs }))
    if (!name.startsWith('Almanac') && !isDeepStrictEqual(before.Outputs[name], after.Outputs[name]))
      add(effects, 'Outputs', name);
}
