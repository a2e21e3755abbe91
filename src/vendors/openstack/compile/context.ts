import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import type { Template, TemplateResource } from '../document.ts';

/** Input of every part of the template. */
export interface Context {
  model: StackModel;
  stackId: string;
  choices: Choices;
  dialect: Dialect;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** A resource under its name. */
export type Entry = readonly [name: string, resource: TemplateResource];

/** The template of a group's member, under its file name. */
export type FileEntry = readonly [file: string, template: Template];

export const dependsOn = (names: readonly string[]): Pick<TemplateResource, 'depends_on'> =>
  names.length === 0 ? {} : { depends_on: [...new Set(names)] };
