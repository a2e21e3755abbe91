import type { Choices } from './choices.ts';
import type { DialectName } from './dialect.ts';

/** The compiled form of a model: a Heat template, the files of its groups' members, and the resolved choices. */
export interface OpenStackDocument {
  region: string;
  dialect: DialectName;
  template: Template;
  /** Templates of group members by file name, which is their resource type. Sent as text beside the template. */
  files: Readonly<Record<string, Template>>;
  /** Values that the document must not contain, because it is stored and shown. `apply` sends them as parameters. */
  secrets: {
    agentToken: boolean;
    databasePassword: boolean;
    /** Flags of layers with a key pair. See `publicKeyParameter`. */
    publicKeysOf: readonly string[];
  };
  /** The next version of the stack reuses these, so that an update does not replace resources without need. */
  choices: Choices;
  /** Sentences for the user about this version. */
  notes: readonly string[];
}

export interface Template {
  heat_template_version: string;
  description: string;
  parameters: Readonly<Record<string, Parameter>>;
  resources: Readonly<Record<string, TemplateResource>>;
  outputs: Readonly<Record<string, TemplateOutput>>;
}

export interface Parameter {
  type: 'string' | 'number' | 'json' | 'comma_delimited_list';
  hidden?: boolean;
}

export interface TemplateResource {
  type: string;
  depends_on?: readonly string[];
  /** Heat leaves what it made to others when the resource or the stack is removed. */
  deletion_policy?: 'Retain';
  /** The id of what exists already: Heat only refers to it. */
  external_id?: string;
  metadata?: Properties;
  properties?: Properties;
}

export interface TemplateOutput {
  description?: string;
  value: Json;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export const resource = (name: string): Json => ({ get_resource: name });
export const attribute = (name: string, ...path: (string | number)[]): Json => ({
  get_attr: [name, ...path],
});
export const parameter = (name: string): Json => ({ get_param: name });
/** Replaces words in a text. The only way to join values that all template versions have. */
export const replaceIn = (template: string, params: Properties): Json => ({
  str_replace: { template, params },
});
