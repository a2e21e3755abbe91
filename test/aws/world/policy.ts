import type { Policy, PolicyStatement as Statement } from '../../../src/vendors/aws/permissions/policy.ts';
import type { Call } from './read-call.ts';

/** Moto checks resources only for S3, treats all other calls as calls on `*`, and ignores conditions. */
export const forMoto = (policy: Policy): Policy => ({
  ...policy,
  Statement: policy.Statement.map((statement) =>
    toList(statement.Action).every((action) => action.startsWith('s3:'))
      ? statement
      : { ...statement, Resource: '*' },
  ),
});

export const withoutAction = (policy: Policy, action: string): Policy => ({
  ...policy,
  Statement: policy.Statement.map((statement) => ({
    ...statement,
    Action: toList(statement.Action).filter((one) => one !== action),
  })).filter(({ Action }) => Action.length > 0),
});

/** The permissions that the overlay asks for in drift checks, in addition to those of the calls. */
export const overlayDriftReads: readonly string[] = [
  'autoscaling:Describe*',
  'cloudformation:BatchDescribeTypeConfigurations',
  'cloudformation:DetectStackResourceDrift',
  'ec2:DescribeLaunchTemplates',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeSubnets',
  'ec2:DescribeVpcs',
  'elasticloadbalancing:DescribeListeners',
  'elasticloadbalancing:DescribeLoadBalancers',
  'elasticloadbalancing:DescribeTargetGroups',
];

const toList = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

export const actionsIn = (policy: Policy): string[] =>
  policy.Statement.flatMap(({ Action }) => toList(Action)).toSorted();

/** A permission that a call needs, and its resource. */
export interface Need {
  action: string;
  resource: string;
}

const account = '123456789012';

/** Permissions whose name differs from the operation. */
const s3Permissions: Readonly<Record<string, string>> = {
  'PUT publicAccessBlock': 'PutBucketPublicAccessBlock',
  'PUT lifecycle': 'PutLifecycleConfiguration',
};

/** The resource of a call, by our reading of AWS's list of actions and resources; moto has no such list. */
function resourceOf({ service, operation, region, input }: Call): string {
  const text = (name: string): string => input[name] ?? '';
  const arn = (name: string, owner = account): string => `arn:aws:${service}:${region}:${owner}:${name}`;
  if (service === 's3') return `arn:aws:s3:::${text('path').split('?')[0]?.slice(1)}`;
  if (service === 'cloudformation') {
    const stack = text('StackName');
    if (!stack) return '*';
    return stack.startsWith('arn:') ? stack : arn(`stack/${stack}/id`);
  }
  if (service === 'ssm')
    return arn(`parameter${text('Name')}`, text('Name').startsWith('/aws/') ? '' : account);
  if (service === 'secretsmanager') return text('SecretId');
  return operation === 'DeregisterTargets' ? text('TargetGroupArn') : '*';
}

/** The permissions a call needs. STS calls need none; passing a role needs an additional one. */
export function needsOf(call: Call): Need[] {
  const { service, operation, input } = call;
  if (service === 'sts') return [];
  const permission = service === 's3' ? (s3Permissions[operation] ?? operation) : operation;
  const passed = input.RoleARN ? [{ action: 'iam:PassRole', resource: input.RoleARN }] : [];
  // DescribeStacks without a name lists all stacks, which needs an additional permission.
  const listed =
    operation === 'DescribeStacks' && !input.StackName
      ? [{ action: 'cloudformation:ListStacks', resource: '*' }]
      : [];
  return [{ action: `${service}:${permission}`, resource: resourceOf(call) }, ...listed, ...passed];
}

const matches = (pattern: string, value: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(value);

/** Assumes that conditions are met. */
const grants = ({ Action, Resource }: Statement, { action, resource }: Need): boolean =>
  toList(Action).some((pattern) => matches(pattern, action)) &&
  toList(Resource).some((pattern) => matches(pattern, resource));

export const allows = ({ Statement: statements }: Policy, need: Need): boolean =>
  statements.some((statement) => grants(statement, need));
