import { succeed } from '../../../basics/problem.ts';
import { mergeChanges, type V2Document } from '../../../languages/v2-configuration/document.ts';
import { readDeploy } from '../../../languages/v2-configuration/read-deploy.ts';
import { readServerChanges } from '../../../languages/v2-configuration/read-server-changes.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { bumpLayers, readLayerRevision } from '../../../store/stacks/layer-revisions.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { requireOnStack } from '../../access/permission.ts';
import type { Service } from '../../service.ts';
import { findVisible } from '../read/describe-stack.ts';
import { changeDocument, decideBefore, readDocument, versionOf } from '../submit/apply-configuration.ts';
import { refuseDocument } from '../submit/refuse-document.ts';
import { changeStack, desire, type Submitted } from '../submit/submit-document.ts';
import { retryOnConflict } from '../submit/vendor-choices.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';

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
  const [layer] = version?.model.layers ?? [];
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
  conditions?: WriteConditions,
): Promise<Submitted> {
  // The stack may be named in the body, which nobody has checked yet.
  await requireOnStack(service.database.query, actor, 'template:updateAlmTemplate', stackId);
  const change = { read: () => readServerChanges(fields), refusal: 'invalid_request' } as const;
  return changeDocument(service, actor, stackId, change, conditions);
}

/** New code, or the same code fetched again: either way the agents deploy anew, once. */
export const deployCode = (
  service: Service,
  actor: Actor,
  stackId: string,
  fields: unknown,
  conditions?: WriteConditions,
): Promise<Submitted> =>
  retryOnConflict(async () => {
    const read = (document: V2Document) => readDeploy(fields, document);
    const decided = await decideBefore(service, actor, stackId, {
      read: (document) => {
        const deploy = read(document);
        return deploy.ok ? succeed(deploy.value.changes) : deploy;
      },
      refusal: 'invalid_request',
    });
    return changeStack(
      service,
      actor,
      { id: stackId, language: 'v2' },
      async (query, current) => {
        const document = await readDocument(query, current);
        const deploy = read(document);
        if (!deploy.ok) return refuseDocument(deploy.problems, 'invalid_request');
        const message = `${nameOf(actor)} asked to deploy code.`;
        if (deploy.value.onlyRepulls) return fetchAgain(service, query, current, message);
        const merged = mergeChanges(document, deploy.value.changes);
        const whole = { merged, refusal: 'invalid_request', decided } as const;
        const version = await versionOf(service, query, actor, current, whole);
        return desire(service, query, current, { ...version, message, deploysAnew: true });
      },
      conditions,
    );
  });

/** The version stays; only the agents have something to do. */
async function fetchAgain(
  service: Service,
  query: Query,
  { id: stackId, desired_version: versionId }: StackRow,
  message: string,
): Promise<string> {
  const now = service.clock.now();
  await bumpLayers(query, stackId, now);
  await addEvents(query, stackId, [{ at: now, kind: 'request', message, versionId }]);
  return versionId;
}
