/** How the metadata services of clouds differ. Paths are below `/latest/meta-data/`. */
export interface MetadataService {
  /** The request header with the session, and that with its lifetime. */
  sessionHeader: string;
  lifetimeHeader: string;
  instanceId: string;
  region: string;
  /** The folder with the keys of the instance's role. */
  keys: string;
  /** Members of the keys. */
  secret: string;
  session: string;
  spotNotice: string;
  /** What the group has decided about the instance, and its name; null: the cloud does not say. */
  lifecycleState: string | null;
  groupName: string | null;
}

export const metadataServices = {
  aws: {
    sessionHeader: 'x-aws-ec2-metadata-token',
    lifetimeHeader: 'x-aws-ec2-metadata-token-ttl-seconds',
    instanceId: 'instance-id',
    region: 'placement/region',
    keys: 'iam/security-credentials',
    secret: 'SecretAccessKey',
    session: 'Token',
    spotNotice: 'spot/instance-action',
    lifecycleState: 'autoscaling/target-lifecycle-state',
    groupName: 'tags/instance/aws:autoscaling:groupName',
  },
  alicloud: {
    sessionHeader: 'x-aliyun-ecs-metadata-token',
    lifetimeHeader: 'x-aliyun-ecs-metadata-token-ttl-seconds',
    instanceId: 'instance-id',
    region: 'region-id',
    keys: 'ram/security-credentials',
    secret: 'AccessKeySecret',
    session: 'SecurityToken',
    spotNotice: 'instance/spot/termination-time',
    lifecycleState: null,
    groupName: null,
  },
} as const satisfies Readonly<Record<string, MetadataService>>;

export type CloudName = keyof typeof metadataServices;
