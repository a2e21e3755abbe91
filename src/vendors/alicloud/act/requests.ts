import { randomHex } from '../../../basics/random.ts';
import type { Secret } from '../../../basics/secret.ts';
import type { Release } from '../../data.ts';
import { type AlicloudDocument, databasePasswordParameter, versionParameter } from '../document.ts';
import { Refusal } from '../errors.ts';
import { agentTokenSecret, databasePasswordSecret } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { shortHash, stateKey } from '../observe/versions.ts';
import type { Region } from '../region.ts';
import { putSecret } from './secrets.ts';

export interface AlicloudApplyRequest {
  document: AlicloudDocument;
  version: string;
  agentToken: Secret;
  databasePassword?: Secret | undefined;
  /** The stores that this version may remove or replace. */
  releases?: readonly Release[];
}

/** What servers and databases read while they are made, so it must exist first. */
export async function putSecrets(
  region: Region,
  stackId: string,
  { document, agentToken, databasePassword }: AlicloudApplyRequest,
): Promise<void> {
  const { secrets } = document;
  if (secrets.agentToken) await putSecret(region, agentTokenSecret(stackId), agentToken);
  if (!secrets.databasePassword) return;
  if (!databasePassword) throw new Refusal('There is no password for the databases of the stack.');
  await putSecret(region, databasePasswordSecret(stackId), databasePassword);
}

/** Databases take long. */
const timeoutMinutes = 180;

/** The common part of creations, updates and forecasts. The value of a secret parameter is the name of the secret. */
export function stackRequest(
  { role }: Region,
  { stackId, document, version }: { stackId: string; document: AlicloudDocument; version: string },
) {
  const password = {
    ParameterKey: databasePasswordParameter,
    ParameterValue: databasePasswordSecret(stackId),
  };
  return {
    query: {
      Parameters: [
        { ParameterKey: versionParameter, ParameterValue: version },
        ...(document.secrets.databasePassword ? [password] : []),
      ],
      TimeoutInMinutes: timeoutMinutes,
      DisableRollback: false,
      ...(role === null ? {} : { RamRoleName: role }),
    },
    body: { TemplateBody: JSON.stringify(document.template) },
  };
}

/** At most 64 characters of these. */
const tokenText = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40);

/**
 * The idempotency token of an update, equal for every retry: ROS treats requests with the same token as one request. It contains the
 * state from which the update starts and what is sent, because ROS refuses another request with the same token.
 */
export const updateToken = (version: string, from: CloudStack, sent: object): string =>
  `update-${tokenText(version)}-${shortHash(stateKey(from))}${shortHash(JSON.stringify(sent))}`;

/**
 * Differs each time: a stack that is created again after its deletion starts from the same state, nothing, and must not get the answer of
 * before. That there is one stack only is ensured by its name.
 */
export const createToken = (version: string): string => `create-${tokenText(version)}-${randomHex(8)}`;
