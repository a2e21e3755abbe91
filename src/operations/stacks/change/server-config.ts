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
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { findVisible } from '../read/describe-stack.ts';
import {
  changeDocument,
  chooseBefore,
  readDocument,
  versionOfDocument,
} from '../submit/apply-configuration.ts';
import { changeStack, desireNewVersion, type Submitted } from '../submit/submit-document.ts';
import { retryOnConflict } from '../submit/vendor-choices.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';

/** Software configuration of a v2 stack's servers, without secrets. */
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
  const stack = await findVisible(service, actor, { stackId, language: 'v2' });
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

export interface ServerChange {
  stackId: string;
  /** Members to change, not validated yet. */
  fields: unknown;
  conditions?: WriteConditions | undefined;
}

const refusal = 'invalid_request';

export async function updateServerConfig(
  service: Service,
  actor: Actor,
  { stackId, fields, conditions }: ServerChange,
): Promise<Submitted> {
  // The stack may be named in the body, which the router does not check.
  await requireOnStack(service.database.query, actor, { action: 'template:updateAlmTemplate', stackId });
  return changeDocument(service, actor, {
    stackId,
    read: () => readServerChanges(fields),
    sent: Object(fields) as object,
    refusal,
    conditions,
  });
}

/** Deploys new code, or fetches the same code again: in both cases the agents redeploy once. */
export const deployCode = (
  service: Service,
  actor: Actor,
  { stackId, fields, conditions }: ServerChange,
): Promise<Submitted> =>
  retryOnConflict(async () => {
    const sent = Object(fields) as object;
    const choices = await chooseBefore(service, actor, {
      stackId,
      read: (document) => {
        const deploy = readDeploy(fields, document);
        return deploy.ok ? succeed(deploy.value.changes) : deploy;
      },
      sent,
      refusal,
    });
    const change = async (query: Query, stack: StackRow): Promise<string> => {
      const current = await readDocument(query, stack);
      const { changes, onlyRepulls } = acceptDeploy(fields, current);
      const message = `${nameOf(actor)} asked to deploy code.`;
      if (onlyRepulls) return redeploy(service, query, { stack, message });
      const document = mergeChanges(current, changes);
      const version = await versionOfDocument(service, query, {
        actor,
        stack,
        document,
        sent,
        refusal,
        choices,
      });
      return desireNewVersion(service, query, {
        actor,
        current: stack,
        version: { ...version, message, redeploy: true },
        word: conditions,
      });
    };
    return changeStack(service, actor, { stackId, language: 'v2', change, conditions });
  });

function acceptDeploy(fields: unknown, document: V2Document) {
  const deploy = readDeploy(fields, document);
  return deploy.ok ? deploy.value : refuseDocument(deploy.problems, refusal);
}

/** Keeps the version; only the agents have work to do. */
async function redeploy(
  service: Service,
  query: Query,
  { stack: { id, desired_version: versionId }, message }: { stack: StackRow; message: string },
): Promise<string> {
  const now = service.clock.now();
  await bumpLayers(query, id, now);
  await addEvents(query, id, [{ at: now, kind: 'request', message, versionId }]);
  return versionId;
}
