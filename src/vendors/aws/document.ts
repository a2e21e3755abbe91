import type { Choices } from './choices.ts';
import type { ResourceType } from './permissions/resource-types.ts';

/** The compiled form of a model: a CloudFormation template and the resolved choices. */
export interface AwsDocument {
  template: Template;
  /** The next version of the stack reuses these, so that an update does not replace resources without need. */
  choices: Choices;
  /** Sentences for the user about this version. Versions of earlier releases have none. */
  notes?: readonly string[];
}

export interface Template {
  AWSTemplateFormatVersion: '2010-09-09';
  Description: string;
  Parameters: Readonly<Record<string, Json>>;
  Resources: Readonly<Record<string, TemplateResource>>;
  Outputs: Readonly<Record<string, TemplateOutput>>;
}

export interface TemplateResource {
  Type: string;
  Properties?: Properties;
  DependsOn?: readonly string[];
  Metadata?: Properties;
  CreationPolicy?: Properties;
  UpdatePolicy?: Properties;
  DeletionPolicy?: 'Delete' | 'Retain' | 'Snapshot';
  UpdateReplacePolicy?: 'Delete' | 'Retain' | 'Snapshot';
}

/** What the compiler makes. A new type needs a row in permissions/resource-types.ts. */
export type CompiledResource = TemplateResource & { Type: ResourceType };

export interface TemplateOutput {
  Description: string;
  Value: Json;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export const ref = (logicalId: string): Json => ({ Ref: logicalId });
export const attribute = (logicalId: string, name: string): Json => ({ 'Fn::GetAtt': [logicalId, name] });
export const substitute = (text: string): Json => ({ 'Fn::Sub': text });

/**
 * The only parameter: the version of the stack. The metadata of the network refers to it, so that every version is an
 * update to CloudFormation, even one that changes no resource. It is not a stack tag: CloudFormation copies those to every
 * resource, and a key pair whose tags change is replaced, with every server that uses it.
 */
export const versionParameter = 'Version';
