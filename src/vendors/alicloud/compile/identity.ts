import type { Layer } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import type { Json, Properties } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** Key pairs, and the role with which agents read their token. */

/** ROS keeps the private key; Almanac reads it from there on demand. */
export const keyPair = ({ stackId }: Context, { flag, keyPair: isEnabled }: Layer): Entry[] =>
  isEnabled
    ? [
        [
          names.keyPair(flag),
          { Type: 'ALIYUN::ECS::SSHKeyPair', Properties: { KeyPairName: names.keyName(stackId, flag) } },
        ],
      ]
    : [];

const policy = (statement: Json): Properties => ({ Version: '1', Statement: [statement] });

/**
 * OOS keeps its secrets in KMS, so a reader needs the right of both. Both are limited to the secret of this stack: a server must not read
 * other secrets of the account.
 */
function permissions({ model, stackId }: Context): Json {
  const secret = names.agentTokenSecret(stackId);
  return {
    Effect: 'Allow',
    Action: ['oos:GetSecretParameter', 'kms:GetSecretValue'],
    Resource: [
      `acs:oos:${model.region}:*:secretparameter/${secret}`,
      `acs:kms:${model.region}:*:secret/*${secret}`,
    ],
  };
}

export const needsRole = (context: Context): boolean =>
  context.model.layers.some((layer) => hasAgent(context, layer));

/** One for the whole stack: the agents of all layers read the same token. */
export const role = (context: Context): Entry[] =>
  needsRole(context)
    ? [
        [
          names.role,
          {
            Type: 'ALIYUN::RAM::Role',
            Properties: {
              RoleName: names.roleName(context.stackId),
              AssumeRolePolicyDocument: policy({
                Effect: 'Allow',
                Action: 'sts:AssumeRole',
                Principal: { Service: ['ecs.aliyuncs.com'] },
              }),
              Policies: [
                {
                  PolicyName: names.roleName(context.stackId),
                  PolicyDocument: policy(permissions(context)),
                },
              ],
              DeletionForce: true,
            },
          },
        ],
      ]
    : [];
