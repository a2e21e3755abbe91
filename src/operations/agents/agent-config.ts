import type { Secret } from '../../basics/secret.ts';
import { sealedPlaceholder } from '../../languages/language.ts';
import { replaceSealed } from '../../languages/placeholders.ts';
import { platformVariables } from '../../model/platform-variables.ts';
import type { Container, Layer, StackModel } from '../../model/stack-model.ts';
import { listLayerRevisions } from '../../store/stacks/layer-revisions.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../store/stacks/versions.ts';
import type { Actor } from '../access/access.ts';
import { pullCredentialFor } from '../registry/sign-in/pull-credential.ts';
import { type GivenSecrets, openAccountSecrets } from '../secrets/open-secrets.ts';
import type { Service } from '../service.ts';
import { databaseAccess } from '../stacks/submit/database-password.ts';
import { openVersionSecrets } from '../stacks/submit/layer-revisions.ts';
import { findStackOfAgent } from './stack-of-agent.ts';

/** Configuration of an agent, with unsealed secrets, also inside URLs. Only agents receive these. */
export interface AgentConfig
  extends Omit<Container, 'registryPasswordSecret' | 'gitPrivateKeySecret' | 'addons' | 'accountSecrets'> {
  registryPassword: Secret | undefined;
  gitPrivateKey: Secret | undefined;
  addons: readonly { name: string; apiKey: Secret | undefined }[];
  /** Secrets of the account. */
  secrets: GivenSecrets;
  /** Unix seconds; an agent that knows only a lower number redeploys. */
  updated: number;
}

/** Of all users, only the master sees a stack's secrets; roles do not apply to this route. */
const maySeeSecrets = (actor: Actor): boolean => actor.kind !== 'user' || actor.master;

/** v2 stacks have one layer, and their agents may use any name for it. */
const layerOf = ({ language }: StackRow, model: StackModel, flag: string): Layer | undefined =>
  model.layers.find((layer) => (language === 'v2' ? layer.container !== null : layer.flag === flag));

/** Environment variables with the endpoints of the stack's services; the user's own variables override them. */
const endpointsOf = ({ view }: StackRow): Record<string, string> => platformVariables(view.outputs);

/** The login of the template, else one that ends soon for an image on the registry of this service. Users need none. */
async function registryLogin(
  service: Service,
  actor: Actor,
  { stackId, container, password }: { stackId: string; container: Container; password: Secret | undefined },
): Promise<Pick<AgentConfig, 'registryUsername' | 'registryPassword'>> {
  const { registryUsername, image } = container;
  const pull =
    registryUsername === null && actor.kind !== 'user' && (await pullCredentialFor(service, stackId, image));
  return pull
    ? { registryUsername: pull.username, registryPassword: pull.password }
    : { registryUsername, registryPassword: password };
}

/** Returns undefined if the layer does not exist or has no container. */
export async function readAgentConfig(
  service: Service,
  actor: Actor,
  { stackId, flag }: { stackId: string; flag: string },
): Promise<AgentConfig | undefined> {
  const { query } = service.database;
  // Read first: a value that changes in between is then given again with its own number, and never missed.
  const revisions = await listLayerRevisions(query, stackId);
  const stack = await findStackOfAgent(query, actor, { stackId, purpose: 'read' });
  const version = await readDesiredModel(query, stack);
  const { model } = version;
  const layer = layerOf(stack, model, flag);
  if (!layer?.container) return undefined;
  const secretOf = await openVersionSecrets(service, query, { stackId, versionId: version.id });
  const open = (name: string | null) => (name && maySeeSecrets(actor) ? secretOf(name) : undefined);
  const openUrl = (url: string | null) =>
    url && replaceSealed(url, (name) => open(name)?.reveal() ?? sealedPlaceholder);
  const { registryPasswordSecret, gitPrivateKeySecret, addons, accountSecrets, ...container } =
    layer.container;
  const secrets = await openAccountSecrets(service, actor, { stack, accountSecrets });
  return {
    ...container,
    image: openUrl(container.image),
    gitRepository: openUrl(container.gitRepository),
    environment: { ...endpointsOf(stack), ...databaseAccess(model, open), ...container.environment },
    ...(await registryLogin(service, actor, {
      stackId,
      container: layer.container,
      password: open(registryPasswordSecret),
    })),
    gitPrivateKey: open(gitPrivateKeySecret),
    secrets,
    addons: addons.map(({ name, apiKeySecret }) => ({ name, apiKey: open(apiKeySecret) })),
    updated:
      revisions.find((row) => row.flag === layer.flag)?.updated ?? Math.floor(version.created_at / 1000),
  };
}
