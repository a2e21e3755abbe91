import type { Feature } from './features.ts';
import { type Condition, type Partition, passedTo } from './scopes.ts';

/** One statement of the role of CloudFormation. */
interface AreaStatement {
  sid: string;
  actions: readonly string[];
  /** What follows `arn:<partition>:`; absent: all resources. */
  resources?: readonly string[];
  condition?: (partition: Partition) => Condition;
}

interface Area {
  /** Stacks without this feature have no resources of the area. */
  feature: Feature;
  statements: readonly AreaStatement[];
  /** Services that create a role of their own at first use. */
  serviceRoles?: readonly string[];
}

/** CloudFormation may call anything of these services: which calls it makes for a type changes without notice. */
const service = (name: string, sid: string): AreaStatement => ({ sid, actions: [`${name}:*`] });

const serverRoles = ['iam::*:role/almanac/*', 'iam::*:instance-profile/almanac/*'];

/** What the role of CloudFormation may do, by the resource types that need it: see resource-types.ts. */
export const roleAreas = {
  ec2: {
    feature: 'stacks',
    statements: [service('ec2', 'ManageServersAndNetworks')],
    serviceRoles: ['spot'],
  },
  autoscaling: {
    feature: 'stacks',
    statements: [service('autoscaling', 'ManageGroups')],
    serviceRoles: ['autoscaling'],
  },
  // AWS makes the alarms of a scaling policy with the permissions of the role that creates the policy.
  'scaling-alarms': {
    feature: 'stacks',
    statements: [
      {
        sid: 'ManageAlarmsOfGroups',
        actions: ['cloudwatch:DeleteAlarms', 'cloudwatch:PutMetricAlarm'],
        resources: ['cloudwatch:*:*:alarm:TargetTracking-*'],
      },
      { sid: 'LookAtAlarms', actions: ['cloudwatch:DescribeAlarms'] },
    ],
  },
  elasticloadbalancing: {
    feature: 'stacks',
    statements: [service('elasticloadbalancing', 'ManageLoadBalancers')],
    serviceRoles: ['elasticloadbalancing'],
  },
  rds: {
    feature: 'databases',
    statements: [service('rds', 'ManageDatabases')],
    serviceRoles: ['rds'],
  },
  elasticache: {
    feature: 'caches',
    statements: [service('elasticache', 'ManageCaches')],
    serviceRoles: ['elasticache'],
  },
  'database-secrets': {
    feature: 'databases',
    statements: [
      {
        sid: 'ManageDatabasePasswords',
        actions: ['Create', 'Delete', 'Describe', 'Update']
          .map((verb) => `secretsmanager:${verb}Secret`)
          .concat(
            ['GetSecretValue', 'PutSecretValue', 'TagResource', 'UntagResource'].map(
              (operation) => `secretsmanager:${operation}`,
            ),
          ),
        resources: ['secretsmanager:*:*:secret:DatabaseSecret*'],
      },
      { sid: 'GeneratePasswords', actions: ['secretsmanager:GetRandomPassword'] },
    ],
  },
  'private-keys': {
    feature: 'stacks',
    statements: [
      {
        sid: 'StorePrivateKeys',
        actions: ['AddTagsToResource', 'DeleteParameter', 'GetParameters', 'PutParameter'].map(
          (operation) => `ssm:${operation}`,
        ),
        resources: ['ssm:*:*:parameter/ec2/keypair/*'],
      },
    ],
  },
  'server-roles': {
    feature: 'stacks',
    statements: [
      {
        sid: 'ManageRolesOfServers',
        actions: [
          'AddRoleToInstanceProfile',
          'CreateInstanceProfile',
          'CreateRole',
          'DeleteInstanceProfile',
          'DeleteRole',
          'DeleteRolePolicy',
          'GetInstanceProfile',
          'GetRole',
          'GetRolePolicy',
          'ListAttachedRolePolicies',
          'ListRolePolicies',
          'PutRolePolicy',
          'RemoveRoleFromInstanceProfile',
          'TagRole',
          'UntagRole',
          'UpdateAssumeRolePolicy',
          'UpdateRole',
        ].map((operation) => `iam:${operation}`),
        resources: serverRoles,
      },
      {
        sid: 'PassRolesToServers',
        actions: ['iam:PassRole'],
        resources: serverRoles.slice(0, 1),
        condition: (partition) => passedTo('ec2', partition),
      },
    ],
  },
} satisfies Record<string, Area>;

export type RoleArea = keyof typeof roleAreas;

export const areaOf = (name: RoleArea): Area => roleAreas[name];
