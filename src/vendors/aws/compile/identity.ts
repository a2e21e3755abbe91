import { keyPairName } from '../../../model/names.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { type Json, type Properties, ref, substitute } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';
import { hasAgent } from './user-data.ts';

/** Who may sign in to a layer's servers, and what its servers may do. */

/** Its tags may never change: AWS then makes another key, and every server anew. */
export const keyPair = ({ stackId }: Context, { flag, keyPair: wanted }: Layer): Entry[] =>
  wanted
    ? [
        [
          names.keyPair(flag),
          { Type: 'AWS::EC2::KeyPair', Properties: { KeyName: keyPairName(stackId, flag) } },
        ],
      ]
    : [];

/** Where all roles of Almanac are, so that the right to make roles can be limited to it. */
const path = '/almanac/';

/** Agents need a role to read the token they sign in with. */
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
          Policies: [{ PolicyName: 'agent', PolicyDocument: policy(rights(context, layer.container)) }],
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

const mayRead = (action: string, resource: string): Properties => ({
  Effect: 'Allow',
  Action: action,
  Resource: substitute(`arn:\${AWS::Partition}:${resource}`),
});

function rights({ model, stackId }: Context, container: Container | null): Properties[] {
  const parameter = names.agentTokenParameter(stackId);
  const object = container && codeObject(container);
  return [
    mayRead('ssm:GetParameter', `ssm:${model.region}:\${AWS::AccountId}:parameter${parameter}`),
    ...(object ? [mayRead('s3:GetObject', `s3:::${object}`)] : []),
  ];
}

export const isInObjectStore = ({ codeSource, gitRepository }: Container): boolean =>
  codeSource === 'object_store' && gitRepository !== null && !/^https?:/.test(gitRepository);

/**
 * `bucket/key` of code in the object store. Where only a bucket or a folder is named, all of it. Null: the code is
 * elsewhere, also at an address on the web, for which no right is needed.
 */
function codeObject(container: Container): string | null {
  if (!isInObjectStore(container)) return null;
  const [, bucket = '', key = ''] =
    /^(?:s3:\/\/)?\/?([^/]+)\/?(.*)$/.exec(container.gitRepository ?? '') ?? [];
  const whole = key === '' || key.endsWith('/') ? `${key}*` : key;
  // What looks like a variable is text, to the template and then to the policy, which writes a dollar sign as ${$}.
  return bucket === '' ? null : `${bucket}/${whole}`.replaceAll('${', '${!$}{');
}
