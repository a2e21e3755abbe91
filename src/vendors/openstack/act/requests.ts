import type { Secret } from '../../../basics/secret.ts';
import type { Release } from '../../data.ts';
import type { OpenStackDocument, Template } from '../document.ts';
import { ifThere, Refusal } from '../errors.ts';
import { agentTokenParameter, databasePasswordParameter, publicKeyParameter } from '../names.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { pathOf } from '../observe/stack-path.ts';
import { describeVersion, tagsFor } from '../observe/tags.ts';
import type { Region } from '../region.ts';
import { type Session, timeoutMinutes } from '../session.ts';

export interface OpenStackApplyRequest {
  document: OpenStackDocument;
  version: string;
  agentToken: Secret;
  databasePassword?: Secret | undefined;
  /** Public halves of the key pairs of layers, by flag. */
  publicKeys?: ReadonlyMap<string, string>;
  /** The stores that this version may remove or replace. */
  releases?: readonly Release[];
}

/** Values that the document does not contain, because it is stored and shown. */
function parametersFor(request: OpenStackApplyRequest): Record<string, string> {
  const { document, agentToken, databasePassword, publicKeys } = request;
  const { secrets } = document;
  const parameters: Record<string, string> = {};
  if (secrets.agentToken) parameters[agentTokenParameter] = agentToken.reveal();
  if (secrets.databasePassword) {
    if (!databasePassword) throw new Refusal('There is no password for the databases of the stack.');
    parameters[databasePasswordParameter] = databasePassword.reveal();
  }
  for (const flag of secrets.publicKeysOf) {
    const key = publicKeys?.get(flag);
    if (key === undefined) throw new Refusal(`There is no public key for the key pair of layer ${flag}.`);
    parameters[publicKeyParameter(flag)] = key;
  }
  return parameters;
}

/** The description names the version, for a Heat that may not keep tags, and because Heat restores it with the template, but no tags. */
const templateFor = ({ template }: OpenStackDocument, version: string): Template => ({
  ...template,
  description: describeVersion(template.description, version),
});

interface RequestInput {
  stackId: string;
  request: OpenStackApplyRequest;
  session: Session;
  /** Resources that Heat must not replace. */
  kept: readonly string[];
}

/** Heat fails then, instead of replacing them: by the template, or because their last operation failed. Old engines ignore it. */
const environmentFor = (kept: readonly string[]) => ({
  resource_registry: {
    resources: Object.fromEntries(kept.map((name) => [name, { restricted_actions: 'replace' }])),
  },
});

/** The common part of creations and updates. Heat clears what an update does not send. */
export function stackRequest({ stackId, request, session, kept }: RequestInput) {
  const { document, version } = request;
  const files = Object.entries(document.files).map(([name, file]) => [name, JSON.stringify(file)]);
  return {
    template: templateFor(document, version),
    files: Object.fromEntries(files),
    parameters: parametersFor(request),
    environment: environmentFor(kept),
    tags: tagsFor(stackId, version),
    timeout_mins: timeoutMinutes(session),
  };
}

/** Deletes a stack, whatever it is doing. It may already be gone. */
export async function requestDeletion({ client }: Region, stack: HeatStack): Promise<void> {
  await ifThere(() => client.change({ service: 'orchestration', method: 'DELETE', path: pathOf(stack) }));
}

type Action = 'check' | 'resume' | 'cancel_without_rollback';

export async function requestAction({ client }: Region, stack: HeatStack, action: Action): Promise<void> {
  await client.change({
    service: 'orchestration',
    method: 'POST',
    path: `${pathOf(stack)}/actions`,
    body: { [action]: null },
  });
}

/** Heat compares the stack with the template it has, and makes again what is marked as unhealthy. */
export async function convergeAgain({ client }: Region, stack: HeatStack): Promise<void> {
  const session = await client.newSession();
  const body = { timeout_mins: timeoutMinutes(session) };
  await client.change({ service: 'orchestration', method: 'PATCH', path: pathOf(stack), body, session });
}
