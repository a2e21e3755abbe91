import { urlSecrets } from '../basics/text/url-secrets.ts';
import { DeployFailure } from './failure.ts';
import type { ServedConfig } from './service/almanac-service.ts';

export type Code =
  | { kind: 'git'; repository: string; reference: string | null; privateKey: string | null }
  | { kind: 'object'; path: string };

/** The desired deployment of the layer. Normalizes the member names of all agent generations. */
export interface Deployment {
  /** Increases with every change. A container with a lower revision is replaced. */
  revision: number;
  image: string;
  registry: { username: string; password: string } | null;
  /** Null: the directory in the image's label, or the default. */
  codeDirectory: string | null;
  code: Code | null;
  ports: readonly number[];
  environment: Readonly<Record<string, string>>;
  /** Names and contents. */
  secretFiles: Readonly<Record<string, string>>;
  storage: { kind: string; id: string | null; mountPath: string } | null;
  users: readonly { name: string; publicKey: string }[];
}

export interface InstanceIdentity {
  stackId: string;
  flag: string;
  instanceId: string;
}

/** `mo-<account>-…`: older applications read the account from their environment. */
const accountOf = (stackId: string): string | undefined => /^mo-([^-]+)-/.exec(stackId)?.[1];

/** Variables that describe the instance to the application. Variables in the template override them. */
const instanceVariables = ({ stackId, flag, instanceId }: InstanceIdentity): Record<string, string> => {
  const account = accountOf(stackId);
  return {
    ...(account === undefined ? {} : { MO_USER_ID: account }),
    MO_STACK_ID: stackId,
    ALM_STACK_ID: stackId,
    ALM_FLAG: flag,
    ALM_INSTANCE_ID: instanceId,
  };
};

const gitHosting = /^(?:https|git):\/\/(github\.com|gitlab\.com|bitbucket\.org)\/(.+)$/;

/** A key works only over ssh, and the large hosting services no longer support the `git` protocol. */
export function repositoryUrl(repository: string, hasKey: boolean): string {
  const [, host, path] = gitHosting.exec(repository) ?? [];
  if (hasKey && host) return `ssh://git@${host}/${path}`;
  if (hasKey) return repository.replace(/^git:\/\//, 'ssh://git@');
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
    repository: repositoryUrl(repository, privateKey !== null),
    reference: config.container_git_reference ?? config.gitReference ?? null,
    privateKey,
  };
}

function registryOf(config: ServedConfig): Deployment['registry'] {
  const { container_registry_username: username, container_registry_password: password } = config;
  return username && password ? { username, password } : null;
}

const storageOf = ({ container_storage: storage }: ServedConfig): Deployment['storage'] =>
  storage ? { kind: storage.type, id: storage.id ?? null, mountPath: storage.mountpath } : null;

/** Throws if the configuration cannot be deployed. */
export function parseDeployment(config: ServedConfig, instance: InstanceIdentity): Deployment {
  const image = (config.container_image ?? config.image ?? '').replace(/^https?:\/\//, '');
  if (image === '')
    throw new DeployFailure("The layer's container has no image. Set container_image in the template.", {
      definite: true,
    });
  return {
    revision: config.container_updated,
    image,
    registry: registryOf(config),
    codeDirectory: config.container_code_dir ?? config.codeDir ?? null,
    code: codeOf(config),
    ports: config.container_ports ?? config.ports ?? [],
    environment: {
      ...instanceVariables(instance),
      ...(config.container_env_vars ?? config.environment_variables),
    },
    secretFiles: config.container_secrets?.files ?? {},
    storage: storageOf(config),
    users: config.container_users ?? [],
  };
}

const secretName = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|DSN/i;

const secretsInUrl = (url: string | undefined): string[] => urlSecrets(url ?? '').map(({ value }) => value);

const givenSecrets = ({ container_secrets: given, container_env_vars: variables = {} }: ServedConfig) => [
  ...(given?.variables ?? []).map((name) => variables[name]),
  ...Object.values(given?.files ?? {}),
];

/** Passwords and keys to redact, including those in the environment. */
export const secretsOf = (config: ServedConfig): (string | undefined)[] => [
  config.container_registry_password,
  config.container_git_private_key,
  config.gitPrivateKey,
  ...[config.container_git_repo, config.gitRepo].flatMap(secretsInUrl),
  ...[config.container_image, config.image].flatMap(secretsInUrl),
  // The server removes the scheme of an image, without which a token looks like a user.
  ...[config.container_image, config.image].flatMap((image) => secretsInUrl(image && `https://${image}`)),
  ...givenSecrets(config),
  ...(config.container_addons ?? []).map(({ apiKey }) => apiKey),
  ...Object.entries(config.container_env_vars ?? {})
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value),
];
