import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { TemplateResource } from '../document.ts';

/** Input of every part of the template. */
export interface Context {
  model: StackModel;
  stackId: string;
  choices: Choices;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** A resource under its logical id. */
export type Entry = readonly [logicalId: string, resource: TemplateResource];

/** Explicit dependencies on resources that a resource does not refer to. */
export const dependsOn = (ids: readonly string[]): Pick<TemplateResource, 'DependsOn'> =>
  ids.length === 0 ? {} : { DependsOn: [...new Set(ids)] };
