import { type Static, Type } from 'typebox';
import { failureChoices } from '../../model/rollout.ts';
import { maxSecretName, secretForms } from '../../model/secret-name.ts';
import { layerRoles } from '../../model/stack-model.ts';
import { closed, integer, oneOf, orComputed, secretText, text } from '../schema-parts.ts';
import { provision } from './schema-provision.ts';

/**
 * Schema of a template with current names. Aliases are renamed and functions are resolved before a document is checked
 * against it. Validation, types, the API description and the reference come from here.
 */

const optional = Type.Optional;

const templateVersion = '2017-03-03';

const user = Type.Object(
  { name: text('Login name.'), public_key: text('Public key in OpenSSH form.') },
  closed('A user who may log in to the container.'),
);

const addon = Type.Object(
  {
    name: text('Name of the add-on, such as mackerel.'),
    api_key: optional(secretText('API key of the add-on.')),
  },
  closed('An add-on that runs next to the container.'),
);

const storage = Type.Object(
  {
    type: oneOf('Kind of storage.', ['efs', 'local']),
    id: optional(text('Id of the file system. Required for efs.')),
    mountpath: optional(text('Mount path in the container. Default /mnt/storage.')),
    restore_from: optional(
      text(
        'Id of kept data (`alm data list`) to make it from. Ignored once it was restored. Default: it begins empty.',
      ),
    ),
  },
  closed('Persistent storage of the container.'),
);

const secretOfAccount = text('Name of a secret of the account (`alm secret list`).', {
  maxLength: maxSecretName,
  format: 'secret-name',
});

const givenSecret = Type.Object(
  {
    secret: secretOfAccount,
    as: optional(
      oneOf(
        '`variable`: an environment variable. `file`: the file /run/secrets/<name>. Default variable.',
        secretForms,
      ),
    ),
  },
  closed('A secret, and how the container gets it.'),
);

const container = Type.Object(
  {
    container_image: optional(
      text('Container image: a path on Docker Hub, or a full path with the registry domain.', {
        format: 'image',
      }),
    ),
    track: optional(
      text(
        "Follow an image of this server's registry: `<repository>:<tag>` or `<repository>:<range of versions>`, such as root/shop:latest or root/shop:^1.2. " +
          'A push of a newer image makes a new version of the stack. Without container_image, the stack begins with the present one.',
        { format: 'track', maxLength: 512 },
      ),
    ),
    container_registry_username: optional(text('User name for a private registry.')),
    container_registry_password: optional(secretText('Password for a private registry.')),
    container_code_dir: optional(
      text("Directory for the code in the container. Default: the image's setting, else /var/www/html."),
    ),
    container_git_repo: optional(text('Git repository of the code.', { format: 'git-repository' })),
    container_git_reference: optional(text('Branch or tag. Default master.', { format: 'git-reference' })),
    container_git_private_key: optional(secretText('Private key for a private repository.')),
    container_ports: optional(Type.Array(integer('A port.', 0, 65535), { description: 'Ports to publish.' })),
    container_env_vars: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), {
        description: 'Environment variables of the container: names and values.',
      }),
    ),
    container_secrets: optional(
      Type.Record(Type.String(), Type.Union([secretOfAccount, givenSecret]), {
        description:
          'Secrets of the account that the container gets: names of environment variables or files, and names of secrets. ' +
          'Set the values with `alm secret set`. They are never part of the template.',
        maxProperties: 100,
      }),
    ),
    container_users: optional(Type.Array(user, { description: 'Users who may log in to the container.' })),
    container_addons: optional(Type.Array(addon, { description: 'Add-ons that run next to the container.' })),
    container_storage: optional(storage),
    container_updated: optional(
      orComputed(
        integer('Ignored; the service records when the container last changed.', 0, Number.MAX_SAFE_INTEGER),
      ),
    ),
  },
  closed('The container that runs on the servers.'),
);

const layer = Type.Object(
  {
    role: oneOf('Role of the layer.', layerRoles),
    flag: text('Name of the layer, unique in the template.', { maxLength: 64, format: 'flag' }),
    provision: optional(provision),
    container: optional(container),
    rollout_timeout: optional(
      integer('Seconds after which a new container that does not serve has failed. Default 600.', 10, 86_400),
    ),
    on_failure: optional(
      oneOf(
        'What an update does if its new container fails: `return` to the version before, or `stay`. Default return.',
        failureChoices,
      ),
    ),
  },
  closed('One layer of the stack.'),
);

export const template = Type.Object(
  {
    version: Type.Literal(templateVersion, { description: 'Version of the template format.' }),
    label: optional(Type.String({ maxLength: 64, description: 'Label of this template version.' })),
    description: optional(Type.String({ maxLength: 255, description: 'Purpose of the stack.' })),
    name: optional(
      Type.String({
        maxLength: 255,
        description:
          'Name of the stack, which no other stack of the account may have; not stored in the template. As `nickname`, it need not be unique.',
      }),
    ),
    vendor: optional(
      Type.Unknown({
        description:
          'One member, named after the vendor, with cred (credential id), region, and secret if the credential is not saved yet. Ignored on update. For OpenStack also auth_url (address of the cloud, with secret), external_network (name or id) and flavors (types and the flavors to use for them).',
      }),
    ),
    tags: optional(
      Type.Record(Type.String(), Type.String({ maxLength: 256, format: 'tag-value' }), {
        description: 'Your own tags of every resource: names and values.',
        propertyNames: { format: 'tag-name' },
        maxProperties: 40,
      }),
    ),
    configurations: Type.Array(layer, {
      minItems: 1,
      maxItems: 100,
      description: 'The layers of the stack.',
    }),
  },
  closed('Template of a stack.'),
);

export type Template = Static<typeof template>;
export type TemplateLayer = Static<typeof layer>;
export type TemplateProvision = Static<typeof provision>;
export type TemplateContainer = Static<typeof container>;
