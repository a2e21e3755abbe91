import type { Choices } from './choices.ts';

/** What the model compiles to: a CloudFormation template, and what was decided where the model leaves the choice to the cloud. */
export interface AwsDocument {
  template: Template;
  /** The next version of the stack decides the same, so that an update replaces nothing nobody asked to replace. */
  choices: Choices;
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
 * The only parameter: the version a stack was made or updated to. It stands in the metadata of the network, so that
 * every version is an update CloudFormation carries out, also one that changes no resource. It is no tag of the stack:
 * CloudFormation puts those on every resource, and a key pair whose tags change is replaced, with every server using it.
 */
export const versionParameter = 'Version';
