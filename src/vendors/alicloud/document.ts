import type { Choices } from './choices.ts';

/** The compiled form of a model: a ROS template, and the resolved choices. */
export interface AlicloudDocument {
  region: string;
  stackId: string;
  template: Template;
  /** Secrets that must exist in OOS before the stack: see `agentTokenSecret` and `databasePasswordSecret`. */
  secrets: { agentToken: boolean; databasePassword: boolean };
  /** The next version of the stack reuses these, so that an update does not replace resources without need. */
  choices: Choices;
  /** Sentences for the user about this version. */
  notes: readonly string[];
}

export interface Template {
  ROSTemplateFormatVersion: '2015-09-01';
  Description: string;
  Parameters: Readonly<Record<string, Parameter>>;
  Resources: Readonly<Record<string, TemplateResource>>;
  Outputs: Readonly<Record<string, TemplateOutput>>;
}

interface Parameter {
  /** The value of a secret parameter is the name of a secret in OOS; ROS reads the secret itself. */
  Type: 'String' | 'ALIYUN::OOS::SecretParameter::Value';
  NoEcho?: boolean;
}

export interface TemplateResource {
  Type: ResourceType;
  DependsOn?: readonly string[];
  Properties: Properties;
}

/** The types of resources that stacks have. */
export type ResourceType =
  | 'ALIYUN::ECS::VPC'
  | 'ALIYUN::ECS::VSwitch'
  | 'ALIYUN::VPC::NatGateway'
  | 'ALIYUN::VPC::EIP'
  | 'ALIYUN::VPC::EIPAssociation'
  | 'ALIYUN::VPC::SnatEntry'
  | 'ALIYUN::VPC::NetworkAcl'
  | 'ALIYUN::VPC::NetworkAclAssociation'
  | 'ALIYUN::ECS::SecurityGroup'
  | 'ALIYUN::ECS::SSHKeyPair'
  | 'ALIYUN::RAM::Role'
  | 'ALIYUN::ECS::InstanceGroup'
  | 'ALIYUN::ESS::ScalingGroup'
  | 'ALIYUN::ESS::ScalingConfiguration'
  | 'ALIYUN::ESS::ScalingGroupEnable'
  | 'ALIYUN::ESS::ScalingRule'
  | 'ALIYUN::SLB::LoadBalancer'
  | 'ALIYUN::SLB::Listener'
  | 'ALIYUN::SLB::BackendServerAttachment'
  | 'ALIYUN::RDS::DBInstance'
  | 'ALIYUN::RDS::ReadOnlyDBInstance'
  | 'ALIYUN::REDIS::Instance'
  | 'ALIYUN::REDIS::Whitelist'
  | 'ALIYUN::Memcache::Instance'
  | 'ALIYUN::Memcache::Whitelist';

export interface TemplateOutput {
  Description: string;
  Value: Json;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export const ref = (name: string): Json => ({ Ref: name });
export const attribute = (name: string, member: string): Json => ({ 'Fn::GetAtt': [name, member] });
export const joined = (values: readonly Json[]): Json => ({ 'Fn::Join': [',', values] });

/** Has the version of the stack: see `stackNetwork`. */
export const versionParameter = 'AlmanacVersion';
export const databasePasswordParameter = 'DbPassword';
