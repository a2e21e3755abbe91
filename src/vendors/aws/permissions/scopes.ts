/** Groups of regions with separate accounts. */
export const partitions = ['aws', 'aws-cn', 'aws-us-gov'] as const;
export type Partition = (typeof partitions)[number];

export type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** The resources of a statement, and its condition. */
export interface ScopedTo {
  sid: string;
  resources: readonly string[];
  condition?: Condition;
}

export interface ScopeInput {
  partition: Partition;
  /** The role that CloudFormation uses. */
  roleArn: string;
}

/** Resources of Almanac stacks: CloudFormation copies the tag of a stack to every resource that supports tags. */
const ofOurStacks: Condition = { StringLike: { 'aws:ResourceTag/almanac:stack': 'mo-*' } };

/** In China, AWS uses both forms of a service principal in this condition. */
export const passedTo = (service: string, partition: Partition): Condition => {
  const names = [
    `${service}.amazonaws.com`,
    ...(partition === 'aws-cn' ? [`${service}.amazonaws.com.cn`] : []),
  ];
  return { StringEquals: { 'iam:PassedToService': names.length === 1 ? (names[0] ?? '') : names } };
};

/** Where a permission applies. The order is that of the statements. */
export const scopes = {
  /** For actions that AWS allows only on all resources, and for descriptions. */
  everything: () => ({ sid: 'LookAtEverything', resources: ['*'] }),
  ownStacks: ({ partition }) => ({
    sid: 'ManageOwnStacks',
    resources: [`arn:${partition}:cloudformation:*:*:stack/alm-*/*`],
  }),
  ownResources: () => ({ sid: 'ManageOwnResources', resources: ['*'], condition: ofOurStacks }),
  publicImages: ({ partition }) => ({
    sid: 'ReadImages',
    resources: [`arn:${partition}:ssm:*::parameter/aws/service/ami-amazon-linux-latest/*`],
  }),
  agentTokens: ({ partition }) => ({
    sid: 'LeaveTokensForAgents',
    resources: [`arn:${partition}:ssm:*:*:parameter/almanac/*`],
  }),
  privateKeys: ({ partition }) => ({
    sid: 'ReadPrivateKeys',
    resources: [`arn:${partition}:ssm:*:*:parameter/ec2/keypair/*`],
  }),
  templateBucket: ({ partition }) => ({
    sid: 'PlaceLargeTemplates',
    resources: [`arn:${partition}:s3:::almanac-templates-*`, `arn:${partition}:s3:::almanac-templates-*/*`],
  }),
  eventQueues: ({ partition }) => ({
    sid: 'ReceiveEvents',
    resources: [`arn:${partition}:sqs:*:*:almanac-*`],
  }),
  /** Roles of servers: see compile/identity.ts. */
  serverRoles: ({ partition }) => ({
    sid: 'ReadRolesOfServers',
    resources: [
      `arn:${partition}:iam::*:role/almanac/*`,
      `arn:${partition}:iam::*:instance-profile/almanac/*`,
    ],
  }),
  cloudFormationRole: ({ partition, roleArn }) => ({
    sid: 'PassTheRole',
    resources: [roleArn],
    condition: passedTo('cloudformation', partition),
  }),
} satisfies Record<string, (input: ScopeInput) => ScopedTo>;

export type Scope = keyof typeof scopes;

export const scopedTo = (scope: Scope, input: ScopeInput): ScopedTo => scopes[scope](input);

/** A role of this name in the account of the key. */
export const defaultRoleArn = (partition: Partition): string =>
  `arn:${partition}:iam::*:role/almanac-cloudformation`;
