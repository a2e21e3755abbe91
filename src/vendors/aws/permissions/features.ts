/**
 * What a permission is needed for. `stacks` is the life cycle of stacks, which every key needs; a key may lack the
 * others, and then only they fail.
 */
export const features = {
  stacks: 'creating, describing, updating and deleting stacks',
  https: 'listeners with a certificate',
  databases: 'stacks with databases',
  caches: 'stacks with caches',
  offers: 'finding unavailable versions, database classes, node types and regions before anything is created',
  'large-templates': 'stacks whose CloudFormation template is longer than 51,200 bytes',
  'private-keys': '`stack pem`',
  'lifecycle-hooks': 'setting and reading lifecycle hooks',
  restarts: 'restarting servers',
  'spot-notices': 'replacing spot instances that AWS reclaims',
  'install-logs': 'showing why the installation of a server failed',
  'kept-data': 'finding the snapshots that removed databases, caches and volumes left',
  previews: 'previews by AWS: change sets',
  drift: 'drift checks',
  events: 'events of CloudFormation instead of frequent polling: `ALM_AWS_EVENT_QUEUES`',
} as const;

export type Feature = keyof typeof features;
export type OptionalFeature = Exclude<Feature, 'stacks'>;

export const optionalFeatures = Object.keys(features).filter(
  (feature): feature is OptionalFeature => feature !== 'stacks',
);
