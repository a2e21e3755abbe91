import { keyPairName } from '../../../model/names.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import { type Json, type Properties, ref, substitute } from '../document.ts';
import { instanceNames } from '../layout/disks.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';
import { filesOf } from './files.ts';

/** Key pairs and IAM roles of servers. */

/** The tags must never change: AWS would replace the key pair, and every server that uses it. */
export const keyPair = ({ stackId }: Context, { flag, keyPair: isEnabled }: Layer): Entry[] =>
  isEnabled
    ? [
        [
          names.keyPair(flag),
          { Type: 'AWS::EC2::KeyPair', Properties: { KeyName: keyPairName(stackId, flag) } },
        ],
      ]
    : [];

/** The path of all roles, so that a policy can limit the creation of roles to it. */
const path = '/almanac/';

/** Agents need a role to read their token. */
export function role(context: Context, layer: Layer): Entry[] {
  if (!hasAgent(context, layer)) return [];
  const id = names.role(layer.flag);
  return [
    [
      id,
      {
        Type: 'AWS::IAM::Role',
        Properties: {
          Path: path,
          AssumeRolePolicyDocument: policy([
            {
              Effect: 'Allow',
              Principal: { Service: substitute('ec2.${AWS::URLSuffix}') },
              Action: 'sts:AssumeRole',
            },
          ]),
          Policies: [{ PolicyName: 'agent', PolicyDocument: policy(permissions(context, layer)) }],
        },
      },
    ],
    [
      names.instanceProfile(layer.flag),
      { Type: 'AWS::IAM::InstanceProfile', Properties: { Path: path, Roles: [ref(id)] } },
    ],
  ];
}

const policy = (statements: readonly Json[]): Properties => ({
  Version: '2012-10-17',
  Statement: statements,
});

const allow = (action: string, resource: string): Properties => ({
  Effect: 'Allow',
  Action: action,
  Resource: substitute(`arn:\${AWS::Partition}:${resource}`),
});

/** The minimum for Session Manager, which opens shells without an open port. AWS cannot limit these actions to resources. */
const sessionManager: Properties = {
  Effect: 'Allow',
  Action: [
    'ssm:UpdateInstanceInformation',
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'ssmmessages:OpenControlChannel',
    'ssmmessages:OpenDataChannel',
  ],
  Resource: '*',
};

/** A server attaches the volume with its files itself. Servers and volumes of a layer have the same tags. */
const attachVolumes = ({ model, stackId }: Context, { flag }: Layer): Properties => ({
  Effect: 'Allow',
  Action: 'ec2:AttachVolume',
  Resource: ['instance', 'volume'].map((kind) =>
    substitute(`arn:\${AWS::Partition}:ec2:${model.region}:\${AWS::AccountId}:${kind}/*`),
  ),
  Condition: {
    StringEquals: {
      [`aws:ResourceTag/${names.stackTag}`]: stackId,
      [`aws:ResourceTag/${names.flagTag}`]: flag,
    },
  },
});

function permissions(context: Context, layer: Layer): Properties[] {
  const { model, stackId } = context;
  const { flag, capacity, container } = layer;
  const parameter = names.agentTokenParameter(stackId);
  const object = container && codeObject(container);
  const here = `${model.region}:\${AWS::AccountId}`;
  // CloudFormation makes the name of the group from these words. A reference would be circular: the group needs the role.
  const group = `autoScalingGroup:*:autoScalingGroupName/\${AWS::StackName}-${names.scalingGroup(flag)}-*`;
  return [
    allow('ssm:GetParameter', `ssm:${here}:parameter${parameter}`),
    ...(object ? [allow('s3:GetObject', `s3:::${object}`)] : []),
    ...(capacity.kind === 'group'
      ? [allow('autoscaling:CompleteLifecycleAction', `autoscaling:${here}:${group}`)]
      : []),
    ...(instanceNames(layer).some((server) => filesOf(context, layer, server))
      ? [attachVolumes(context, layer)]
      : []),
    sessionManager,
  ];
}

export const isInObjectStore = ({ codeSource, gitRepository }: Container): boolean =>
  codeSource === 'object_store' && gitRepository !== null && !/^https?:/.test(gitRepository);

/**
 * `bucket/key` of code in the object store; for a bucket or a folder, everything in it. Null: the code is elsewhere, such
 * as at a web address, and needs no permission.
 */
function codeObject(container: Container): string | null {
  if (!isInObjectStore(container)) return null;
  const [, bucket = '', key = ''] =
    /^(?:s3:\/\/)?\/?([^/]+)\/?(.*)$/s.exec(container.gitRepository ?? '') ?? [];
  const objects = key === '' || key.endsWith('/') ? `${key}*` : key;
  // Escape ${ twice: in Fn::Sub, and in the policy, where ${$} is a dollar sign.
  return bucket === '' ? null : `${bucket}/${objects}`.replaceAll('${', '${!$}{');
}
