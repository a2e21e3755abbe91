/** Why members change nothing in a CloudFormation template: the first rule that fits. */
export type Explanations = readonly (readonly [member: RegExp, reason: string])[];

const agents =
  'Agents read it from Almanac: a deployment changes no resource. Secrets are never part of a template.';

export const v3Explanations: Explanations = [
  [/^version$/, 'The only version of the format.'],
  [/^(label|description|name)$/, 'For people. Stored with the version or the stack.'],
  [/^vendor$/, 'Selects the credential and the region, and so the account that gets the resources.'],
  [/^configurations$/, 'The layers; see their members.'],
  [/\/vpc_id$/, 'Reserved: every stack has a network of its own.'],
  [/\/container_updated$/, 'Ignored; Almanac counts the changes itself.'],
  [/\/restore_from$/, 'Only with kept data: the resource is made from its snapshot.'],
  [
    /\/container_storage(\/|$)/,
    'The agent mounts a directory: on a volume of its own for a server outside groups, on the disk for a member of a group. `efs` is not supported on AWS.',
  ],
  [/\/container\/track$/, 'Followed by Almanac, which makes new versions with other images.'],
  [/\/container(\/|$)/, agents],
  [/\/(rollout_timeout|on_failure)$/, 'Read by Almanac, which waits until new containers serve.'],
];

export const v2Explanations: Explanations = [
  [/^configurations$/, 'The configuration; see its members.'],
  [/\/region$/, 'Must be the region of the stack.'],
  [/\/nickname$/, 'For people. Stored with the stack.'],
  [/\/(image|dockerHub\w+|git\w+)$/, agents],
  [/^server\/keypair_id$/, 'Stored only: every stack has a key pair of its own.'],
  [/^server(\/|$)/, agents],
];
