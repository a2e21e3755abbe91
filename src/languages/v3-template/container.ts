import { at } from '../../basics/problem.ts';
import type { Container } from '../../model/stack-model.ts';
import { defaultGitReference, imagePath } from '../defaults.ts';
import { sealedName } from '../placeholders.ts';
import { standInText } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import type { TemplateContainer } from './schema.ts';

/** The model contains a secret's name, which is in its placeholder, never its value. */
const secretName = (text: string | undefined): string | null => sealedName(text ?? '');

const compileStorage = (given: TemplateContainer, path: string, report: Report): Container['storage'] => {
  const storage = given.container_storage;
  if (!storage) return null;
  if (storage.type === 'efs' && storage.id === undefined)
    report(at(path, 'container_storage/id'), 'is required for type efs: the id of the file system.');
  return { kind: storage.type, id: storage.id ?? null, mountPath: storage.mountpath ?? '/mnt/storage' };
};

const reportDuplicates = (
  list: readonly { name: string }[] | undefined,
  path: string,
  report: Report,
): void => {
  const seen = new Set<string>();
  for (const [index, { name }] of (list ?? []).entries()) {
    if (name !== standInText && seen.has(name))
      report(at(path, index, 'name'), `is a duplicate: "${name}". Each entry needs a unique name.`);
    seen.add(name);
  }
};

const compileEnvironment = (given: TemplateContainer): Container['environment'] =>
  Object.fromEntries(
    Object.entries(given.container_env_vars ?? {}).map(([name, value]) => [name, String(value)]),
  );

const compileSecrets = (given: TemplateContainer): Pick<Container, 'accountSecrets'> => {
  const secrets = Object.entries(given.container_secrets ?? {}).map(([name, value]) =>
    typeof value === 'string'
      ? { name, secret: value, as: 'variable' as const }
      : { name, secret: value.secret, as: value.as ?? 'variable' },
  );
  return secrets.length > 0 ? { accountSecrets: secrets } : {};
};

/** A variable has one value. */
const reportSecretVariables = (given: TemplateContainer, path: string, report: Report): void => {
  for (const { name, as } of compileSecrets(given).accountSecrets ?? [])
    if (as === 'variable' && Object.hasOwn(given.container_env_vars ?? {}, name))
      report(at(path, 'container_secrets', name), 'is also in container_env_vars; remove it there.');
};

const checkContainer = (given: TemplateContainer, path: string, report: Report): void => {
  if (given.container_registry_password !== undefined && given.container_registry_username === undefined)
    report(at(path, 'container_registry_username'), 'is required with container_registry_password.');
  reportSecretVariables(given, path, report);
  reportDuplicates(given.container_users, at(path, 'container_users'), report);
  reportDuplicates(given.container_addons, at(path, 'container_addons'), report);
};

export const compileContainer = (given: TemplateContainer, path: string, report: Report): Container => {
  checkContainer(given, path, report);
  return {
    image: imagePath(given.container_image),
    registryUsername: given.container_registry_username ?? null,
    registryPasswordSecret: secretName(given.container_registry_password),
    codeDirectory: given.container_code_dir ?? null,
    codeSource: 'git',
    gitRepository: given.container_git_repo ?? null,
    gitReference: given.container_git_reference ?? defaultGitReference,
    gitPrivateKeySecret: secretName(given.container_git_private_key),
    ports: given.container_ports ?? [],
    environment: compileEnvironment(given),
    users: (given.container_users ?? []).map((user) => ({ name: user.name, publicKey: user.public_key })),
    addons: (given.container_addons ?? []).map((addon) => ({
      name: addon.name,
      apiKeySecret: secretName(addon.api_key),
    })),
    storage: compileStorage(given, path, report),
    ...compileSecrets(given),
    ...(given.track === undefined ? {} : { track: given.track }),
  };
};
