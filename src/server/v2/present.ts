import type { Static } from 'typebox';
import { offsetTime } from '../../basics/clock.ts';
import type { listedV2Stack, v2Stack } from '../../contract/v2/stacks.ts';
import type { ServerConfig } from '../../operations/stacks/change/server-config.ts';
import type { DescribedV2Stack } from '../../operations/stacks/read/describe-v2-stack.ts';
import { presentDatabase, presentInstance, presentOutputs } from '../shared/present-stack.ts';

/** Shows the first six and last five characters of a long id, and the first two of a short one. */
const masked = (id: string): string =>
  id.length > 11
    ? id.slice(0, 6) + '*'.repeat(id.length - 11) + id.slice(-5)
    : id.slice(0, 2) + '*'.repeat(Math.max(0, id.length - 2));

export const presentListed = ({
  stack,
  configuration,
  accountName,
}: DescribedV2Stack): Static<typeof listedV2Stack> => ({
  stack_id: stack.id,
  auth_token: stack.authToken,
  user_id: stack.accountId,
  nickname: stack.nickname,
  // Existing clients identify the platform by these two members.
  configuration: {
    region: stack.region,
    ...configuration,
    AWS: masked(stack.credentialId),
    AWS_ACCOUNT_NAME: accountName,
  },
  create_time: offsetTime(stack.createdAt),
  stack_outputs: presentOutputs(stack.view),
  stack_status: stack.status,
  stack_status_reason: stack.statusReason,
});

export const presentStack = (described: DescribedV2Stack): Static<typeof v2Stack> => ({
  ...presentListed(described),
  vendor: described.stack.vendor,
  cred: masked(described.stack.credentialId),
  instances: described.stack.view.instances.map(presentInstance),
  dbinstances: described.stack.view.databases.map(presentDatabase),
});

const documentVersion = '2017-02-01';

export const presentServerConfig = (config: ServerConfig) => ({
  image: config.image,
  code: config.code,
  codeDir: config.codeDirectory,
  ports: [...config.ports],
  environmentVariables: [...config.environment],
  gitReference: config.gitReference,
  keypair_id: config.keyPairId,
  updated: config.updated,
  version: documentVersion,
});
