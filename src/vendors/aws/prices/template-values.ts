import { entryOf } from '../../../basics/entry-of.ts';
import { isObject } from '../../../basics/is-object.ts';
import type { Template, TemplateResource } from '../document.ts';

/** Reads values of a CloudFormation template, also one that an earlier release compiled. */

type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

export const propertiesOf = (resource: TemplateResource | undefined): Members =>
  membersOf(resource?.Properties);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The number in a property, which CloudFormation also accepts as a string; 0 without one. */
export const numberOf = (value: unknown): number => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
  return Number.isFinite(number) ? number : 0;
};

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The resource that `Ref` or `Fn::GetAtt` names. */
export function resourceAt(template: Template, value: unknown): TemplateResource | undefined {
  const { Ref: ref, 'Fn::GetAtt': attribute } = membersOf(value);
  const [owner] = listOf(attribute);
  const id = typeof ref === 'string' ? ref : textOf(owner);
  return entryOf(template.Resources, id);
}
