import type { ServedConfig } from './service/almanac-service.ts';

export type Code =
  | { kind: 'git'; repository: string; reference: string | null; privateKey: string | null }
  | { kind: 'object'; path: string };

/** What the layer's instances are to run, in one set of words instead of three generations'. */
export interface Wanted {
  /** Rises with every change; the container of a lower one is replaced. */
  revision: number;
  image: string;
  registry: { username: string; password: string } | null;
  /** Null: where the image says, or the usual place. */
  codeDirectory: string | null;
  code: Code | null;
  ports: readonly number[];
  environment: Readonly<Record<string, string>>;
  storage: { kind: string; id: string | null; mountPath: string } | null;
  users: readonly { name: string; publicKey: string }[];
}

export interface Place {
  stackId: string;
  flag: string;
  instanceId: string;
}

/** `mo-<account>-…`: older applications read the account from their environment. */
const accountOf = (stackId: string): string | undefined => /^mo-([^-]+)-/.exec(stackId)?.[1];

/** What every application may know about where it runs. The template's own variables win. */
const placeVariables = ({ stackId, flag, instanceId }: Place): Record<string, string> => {
  const account = accountOf(stackId);
  return {
    ...(account === undefined ? {} : { MO_USER_ID: account }),
    MO_STACK_ID: stackId,
    ALM_STACK_ID: stackId,
    ALM_FLAG: flag,
    ALM_INSTANCE_ID: instanceId,
  };
};

const hosting = /^(?:https|git):\/\/(github\.com|gitlab\.com|bitbucket\.org)\/(.+)$/;

/** A key is of use only over ssh, and the big hosts no longer answer the `git` protocol. */
export function repositoryAddress(repository: string, withKey: boolean): string {
  const [, host, path] = hosting.exec(repository) ?? [];
  if (withKey && host) return `ssh://git@${host}/${path}`;
  if (withKey) return repository.replace(/^git:\/\//, 'ssh://git@');
  return host ? `https://${host}/${path}` : repository;
}

function codeOf(config: ServedConfig): Code | null {
  const repository = config.container_git_repo ?? config.gitRepo;
  if (!repository) return null;
  if ((config.container_code_source ?? config.code_source) === 'object_store')
    return { kind: 'object', path: repository };
  const privateKey = config.container_git_private_key ?? config.gitPrivateKey ?? null;
  return {
    kind: 'git',
    repository: repositoryAddress(repository, privateKey !== null),
    reference: config.container_git_reference ?? config.gitReference ?? null,
    privateKey,
  };
}

function registryOf(config: ServedConfig): Wanted['registry'] {
  const { container_registry_username: username, container_registry_password: password } = config;
  return username && password ? { username, password } : null;
}

const storageOf = ({ container_storage: storage }: ServedConfig): Wanted['storage'] =>
  storage ? { kind: storage.type, id: storage.id ?? null, mountPath: storage.mountpath } : null;

/** Throws a sentence when the configuration cannot be run. */
export function wantedFrom(config: ServedConfig, place: Place): Wanted {
  const image = (config.container_image ?? config.image ?? '').replace(/^https?:\/\//, '');
  if (image === '') throw new Error("The layer's container has no image.");
  return {
    revision: config.container_updated,
    image,
    registry: registryOf(config),
    codeDirectory: config.container_code_dir ?? config.codeDir ?? null,
    code: codeOf(config),
    ports: config.container_ports ?? config.ports ?? [],
    environment: {
      ...placeVariables(place),
      ...(config.container_env_vars ?? config.environment_variables),
    },
    storage: storageOf(config),
    users: config.container_users ?? [],
  };
}

const secretName = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|DSN/i;

/** What must never be shown: the passwords and keys, also those among the environment. */
export const secretsOf = (config: ServedConfig): (string | undefined)[] => [
  config.container_registry_password,
  config.container_git_private_key,
  config.gitPrivateKey,
  ...(config.container_addons ?? []).map(({ apiKey }) => apiKey),
  ...Object.entries(config.container_env_vars ?? {})
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value),
];
