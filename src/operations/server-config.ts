import { readDeploy } from '../languages/v2-configuration/read-deploy.ts';
import { readServerChanges } from '../languages/v2-configuration/read-server-changes.ts';
import type { StackModel } from '../model/stack-model.ts';
import { addEvents } from '../store/events.ts';
import { bumpLayers, readLayerRevision } from '../store/layer-revisions.ts';
import { findVersion } from '../store/versions.ts';
import { type Actor, nameOf } from './access.ts';
import { changeDocument, readDocument } from './apply-configuration.ts';
import { findVisible } from './describe-stack.ts';
import { refuseDocument } from './refuse-document.ts';
import type { Service } from './service.ts';
import { findUpdatable } from './submit-document.ts';

/** What a v2 stack's servers run, less every secret. */
export interface ServerConfig {
  image: string;
  code: string;
  gitReference: string;
  codeDirectory: string;
  ports: readonly number[];
  environment: readonly { name: string; value: string }[];
  keyPairId: string;
  updated: number;
}

export async function describeServerConfig(
  service: Service,
  actor: Actor,
  stackId: string,
): Promise<ServerConfig> {
  const { query } = service.database;
  const stack = await findVisible(service, actor, stackId, 'v2');
  const { configuration, server } = await readDocument(query, stack);
  const version = await findVersion(query, stack.id, stack.desired_version);
  const [layer] = (JSON.parse(version?.model ?? '{"layers":[]}') as StackModel).layers;
  const updated = layer && (await readLayerRevision(query, stack.id, layer.flag));
  return {
    image: configuration.image ?? '',
    code: configuration.code ?? '',
    gitReference: configuration.gitReference ?? '',
    codeDirectory: server.codeDir ?? '',
    ports: server.ports ?? [],
    environment: server.environmentVariables,
    keyPairId: server.keypair_id ?? '',
    updated: updated ?? Math.floor(stack.updated_at / 1000),
  };
}

export async function updateServerConfig(
  service: Service,
  actor: Actor,
  stackId: string,
  fields: unknown,
): Promise<void> {
  await changeDocument(service, actor, stackId, () => readServerChanges(fields));
}

/** New code, or the same code fetched again: either way the agents deploy anew. */
export async function deployCode(
  service: Service,
  actor: Actor,
  stackId: string,
  fields: unknown,
): Promise<void> {
  const { database, clock } = service;
  const stack = await findUpdatable(database.query, actor, stackId, 'v2');
  const deploy = readDeploy(fields, await readDocument(database.query, stack));
  if (!deploy.ok) return refuseDocument(deploy.problems);
  if (!deploy.value.onlyRepulls) {
    const { changes } = deploy.value;
    await changeDocument(service, actor, stackId, () => ({ ok: true, value: changes }));
  }
  await database.transaction(async (query) => {
    await bumpLayers(query, stackId, clock.now());
    const message = `${nameOf(actor)} asked to deploy code.`;
    await addEvents(query, stackId, [
      { at: clock.now(), kind: 'request', message, versionId: stack.desired_version },
    ]);
  });
}
