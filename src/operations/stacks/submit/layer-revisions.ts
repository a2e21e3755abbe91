import { createHmac } from 'node:crypto';
import type { Secret } from '../../../basics/secret.ts';
import { sealedNamesIn } from '../../../languages/placeholders.ts';
import type { Container, StackModel } from '../../../model/stack-model.ts';
import type { Query } from '../../../store/database/database.ts';
import { findSecrets } from '../../../store/secrets/secrets.ts';
import { saveHealth } from '../../../store/stacks/health.ts';
import {
  changeLayerRevision,
  insertLayerRevision,
  listLayerRevisions,
  retireLayers,
} from '../../../store/stacks/layer-revisions.ts';
import { beginRollout } from '../../../store/stacks/rollouts.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import { readVersionSecrets } from '../../../store/stacks/versions.ts';
import { secretsOf } from '../../secrets/used-secrets.ts';
import { type Service, sealedFor } from '../../service.ts';

/** Names by which a container refers to its secrets. */
const secretNames = (container: Container): string[] => {
  const { registryPasswordSecret, gitPrivateKeySecret, addons, image, gitRepository } = container;
  const members = [registryPasswordSecret, gitPrivateKeySecret, ...addons.map((addon) => addon.apiKeySecret)];
  const inUrls = [image, gitRepository].flatMap((url) => sealedNamesIn(url ?? ''));
  return [...members.filter((name) => name !== null), ...inUrls];
};

const notKnown = { health: 'unknown', reason: '' } as const;

/** Returns a function that unseals a version's secrets by name. */
export async function openVersionSecrets(
  service: Service,
  query: Query,
  { stackId, versionId }: { stackId: string; versionId: string },
): Promise<(name: string) => Secret | undefined> {
  const sealed = await readVersionSecrets(query, versionId);
  return (name) => {
    const text = sealed.get(name);
    return text === undefined ? undefined : service.sealer.unseal(text, sealedFor.stackSecret(stackId, name));
  };
}

/** Sorted by name, because the order of variables has no meaning. */
const sorted = (environment: Container['environment']) =>
  Object.entries(environment).toSorted(([one], [other]) => (one < other ? -1 : 1));

interface SecretReader {
  /** Of the version, by name. */
  secretOf: (name: string) => Secret | undefined;
  /** Of the account: the number of its value. */
  revisionOf: (name: string) => number | undefined;
}

/** Which value each secret of the account has that the layers use. */
async function readRevisions(
  query: Query,
  accountId: string,
  layers: StackModel['layers'],
): Promise<SecretReader['revisionOf']> {
  const names = layers.flatMap(({ container }) => (container ? secretsOf(container) : []));
  const rows = await findSecrets(query, accountId, [...new Set(names)]);
  const revisions = new Map(rows.map(({ name, revision }) => [name, revision]));
  return (name) => revisions.get(name);
}

/**
 * Detects whether a container changed, secrets included. Keyed, because a plain digest in the database would allow guessing
 * passwords offline.
 */
const digestOf = (key: Secret, container: Container, { secretOf, revisionOf }: SecretReader): string => {
  const secrets = secretNames(container).map((name) => [name, secretOf(name)?.reveal() ?? null]);
  // What is followed changes nothing for agents: the image says what to run.
  const { track: _, ...deployed } = container;
  const revisions = secretsOf(container).map((name) => [name, revisionOf(name)]);
  const content = {
    ...deployed,
    environment: sorted(container.environment),
    secrets,
    ...(revisions.length > 0 ? { revisions } : {}),
  };
  return createHmac('sha256', key.reveal()).update(JSON.stringify(content)).digest('hex');
};

const isForced = (redeploy: boolean | readonly string[], flag: string): boolean =>
  typeof redeploy === 'boolean' ? redeploy : redeploy.includes(flag);

interface Revised {
  version: { id: string; stack_id: string; model: StackModel };
  redeploy?: boolean | readonly string[];
  /** Why, if not for a new version. */
  cause?: string;
}

/**
 * Raises the revision of every layer whose container or code differs from what its agents last received; with `redeploy`,
 * of every layer or of those named. Returns the layers. Call it in the transaction that makes a version the desired one, after its secrets are stored.
 */
export async function reviseLayers(
  service: Service,
  query: Query,
  { version, redeploy = false, cause = '' }: Revised,
): Promise<string[]> {
  const stackId = version.stack_id;
  const layers = version.model.layers.filter(({ container }) => container !== null);
  const before = new Map((await listLayerRevisions(query, stackId)).map((row) => [row.flag, row.digest]));
  const retired = [...before.keys()].filter((flag) => !layers.some((layer) => layer.flag === flag));
  await retireLayers(query, { stackId, flags: retired, now: service.clock.now() });
  if (layers.length === 0) return [];
  const stack = await findStackById(query, stackId);
  if (!stack) throw new Error(`Stack ${stackId} is not in the store.`);
  const key = service.sealer.unseal(stack.sealed_auth_token, sealedFor.authToken(stackId));
  const secrets = {
    secretOf: await openVersionSecrets(service, query, { stackId, versionId: version.id }),
    revisionOf: await readRevisions(query, stack.account_id, layers),
  };
  if (stack.health === 'none') await saveHealth(query, stackId, { ...notKnown, now: service.clock.now() });
  const now = service.clock.now();
  const revised: string[] = [];
  for (const one of layers) {
    const { flag, container } = one;
    if (!container) continue;
    const layer = { stackId, flag, digest: digestOf(key, container, secrets) };
    const isChanged = isForced(redeploy, flag) || before.get(flag) !== layer.digest;
    if (!isChanged) continue;
    const revision = before.has(flag)
      ? await changeLayerRevision(query, layer, now)
      : await insertLayerRevision(query, layer, now);
    await beginRollout(query, { ...rolloutOf(one, version), revision, began_at: now, cause });
    revised.push(flag);
  }
  return revised;
}

const rolloutOf = (
  { flag, container, rollout }: StackModel['layers'][number],
  { id, stack_id }: { id: string; stack_id: string },
) => ({
  stack_id,
  flag,
  version_id: id,
  image: container?.image ?? '',
  stays: rollout?.onFailure === 'stay' ? 1 : 0,
});
