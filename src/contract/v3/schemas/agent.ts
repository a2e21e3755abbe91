import { Type } from 'typebox';

const text = (description?: string) => Type.Optional(Type.String(description ? { description } : {}));
const codeSource = text(
  '`git` or `object_store`. For `object_store`, `gitRepo` is a path in the store and there is no reference.',
);
const variables = Type.Optional(Type.Record(Type.String(), Type.String()));
const ports = Type.Optional(Type.Array(Type.Integer()));
const updated = Type.Integer({
  description: 'Unix time in seconds. Increases when the container or code changes.',
});

/**
 * Container configuration for an agent. Three generations of agents read it by different names, so each value appears
 * under all of them: first the current names, then those with `container_`, then the oldest.
 */
export const agentConfig = Type.Object(
  {
    image: text(),
    environment_variables: variables,
    gitReference: text(),
    gitPrivateKey: text('Private key in PEM format.'),
    gitRepo: text('Location of the code, for every `code_source`.'),
    code_source: codeSource,
    updated,
    container_image: text(),
    container_registry_username: text(),
    container_registry_password: text(),
    container_code_dir: text(),
    container_code_source: codeSource,
    container_git_repo: text(),
    container_git_reference: text(),
    container_git_private_key: text(),
    container_ports: ports,
    container_env_vars: variables,
    container_secrets: Type.Optional(
      Type.Object(
        {
          variables: Type.Array(Type.String(), { description: 'Variables in `container_env_vars`.' }),
          files: Type.Record(Type.String(), Type.String(), {
            description: 'Names and contents of files in /run/secrets of the container.',
          }),
        },
        { description: 'What is secret, and must not be in logs.' },
      ),
    ),
    container_users: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), publicKey: Type.String() })),
    ),
    container_addons: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), apiKey: Type.Optional(Type.String()) })),
    ),
    container_storage: Type.Optional(
      Type.Object({
        type: Type.String(),
        id: Type.Optional(Type.String()),
        mountpath: Type.String(),
      }),
    ),
    container_updated: updated,
    codeDir: text(),
    ports,
    environmentVariables: variables,
  },
  { $id: 'AgentConfig' },
);

export const temporaryAccess = Type.Object(
  { AccessKeyId: Type.String(), SecretAccessKey: Type.String(), SessionToken: Type.String() },
  { $id: 'TemporaryAccess' },
);
