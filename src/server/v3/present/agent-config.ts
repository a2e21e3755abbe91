import type { Static } from 'typebox';
import type { Secret } from '../../../basics/secret.ts';
import type { agentConfig } from '../../../contract/v3/schemas/agent.ts';
import type { AgentConfig } from '../../../operations/agents/agent-config.ts';

type Presented = Static<typeof agentConfig>;

/** Omits members without a value: agents fail on an empty array where they expect a map. */
const withoutEmpty = <T extends object>(
  members: { [Name in keyof T]: T[Name] | undefined | null },
): Partial<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Partial<T>;

const listed = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);
const mapped = (map: Record<string, string>) => (Object.keys(map).length > 0 ? map : undefined);

const presentStorage = ({ storage }: AgentConfig): Presented['container_storage'] =>
  storage
    ? { type: storage.kind, ...(storage.id ? { id: storage.id } : {}), mountpath: storage.mountPath }
    : undefined;

const revealed = (secrets: ReadonlyMap<string, Secret>): Record<string, string> =>
  Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));

const presentSecrets = ({
  secrets: { variables, files },
}: AgentConfig): Presented['container_secrets'] | undefined =>
  variables.size + files.size > 0 ? { variables: [...variables.keys()], files: revealed(files) } : undefined;

const presentAddons = ({ addons }: AgentConfig): Presented['container_addons'] =>
  listed(addons)?.map(({ name, apiKey }) => (apiKey ? { name, apiKey: apiKey.reveal() } : { name }));

/** Omits the reference if there is no repository. Agents read the location of the code from one member only. */
const presentCode = ({ gitRepository, gitReference, gitPrivateKey, codeSource }: AgentConfig) => ({
  gitRepo: gitRepository,
  codeSource: gitRepository ? codeSource : undefined,
  gitReference: gitRepository && codeSource !== 'object_store' ? gitReference : undefined,
  gitPrivateKey: gitPrivateKey?.reveal(),
});

/** Presents each value under the names of three generations of agents. */
export function presentAgentConfig(config: AgentConfig): Presented {
  const { image, codeDirectory, updated } = config;
  const { gitRepo, codeSource, gitReference, gitPrivateKey } = presentCode(config);
  const ports = listed(config.ports);
  // Agents of earlier releases know variables only.
  const environment = mapped({ ...config.environment, ...revealed(config.secrets.variables) });
  const optional = withoutEmpty<Omit<Presented, 'updated' | 'container_updated'>>({
    image,
    environment_variables: environment,
    gitReference,
    gitPrivateKey,
    gitRepo,
    code_source: codeSource,
    container_image: image,
    container_registry_username: config.registryUsername,
    container_registry_password: config.registryPassword?.reveal(),
    container_code_dir: codeDirectory,
    container_code_source: codeSource,
    container_git_repo: gitRepo,
    container_git_reference: gitReference,
    container_git_private_key: gitPrivateKey,
    container_ports: ports,
    container_env_vars: environment,
    container_secrets: presentSecrets(config),
    container_users: listed(config.users),
    container_addons: presentAddons(config),
    container_storage: presentStorage(config),
    codeDir: codeDirectory,
    ports,
    environmentVariables: environment,
  });
  return { ...optional, updated, container_updated: updated };
}
