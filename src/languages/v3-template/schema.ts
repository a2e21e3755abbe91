import { type Static, Type } from 'typebox';
import { layerRoles } from '../../model/stack-model.ts';
import { closed, oneOf, orComputed, secretText, text, whole } from '../schema-words.ts';
import { provision } from './schema-provision.ts';

/**
 * The template in its present spelling. Older spellings are renamed to it (aliases) and functions are resolved
 * before a document is held against it. Validation, types, the interface description and the reference come from here.
 */

const optional = Type.Optional;

export const templateVersion = '2017-03-03';

const user = Type.Object(
  { name: text('Login name.'), public_key: text('Public key in OpenSSH form.') },
  closed('Someone who may log in to the container.'),
);

const addon = Type.Object(
  { name: text('Which add-on, for example mackerel.'), api_key: optional(secretText('Its key.')) },
  closed('An add-on beside the container.'),
);

const storage = Type.Object(
  {
    type: oneOf('Where the files are.', ['efs', 'local']),
    id: optional(text('Which file system. Needed for efs.')),
    mountpath: optional(text('Where the container sees it. Default /mnt/storage.')),
  },
  closed('Files that stay when the container goes.'),
);

export const container = Type.Object(
  {
    container_image: optional(
      text('Image to run: a path on the public hub, or a full path with registry domain.'),
    ),
    container_registry_username: optional(text('User of a private registry.')),
    container_registry_password: optional(secretText('Password of that user.')),
    container_code_dir: optional(
      text("Where code is placed. Default: the image's own word, then /var/www/html."),
    ),
    container_git_repo: optional(text('Repository of the code.')),
    container_git_reference: optional(text('Branch or tag. Default master.')),
    container_git_private_key: optional(secretText('Private key for a private repository.')),
    container_ports: optional(Type.Array(whole('A port.', 0, 65535), { description: 'Ports to publish.' })),
    container_env_vars: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), {
        description: 'Environment of the container: name to value.',
      }),
    ),
    container_users: optional(Type.Array(user, { description: 'Who may log in to the container.' })),
    container_addons: optional(Type.Array(addon, { description: 'Add-ons that run beside it.' })),
    container_storage: optional(storage),
    container_updated: optional(
      orComputed(
        whole('Ignored: the service notes when the container last changed.', 0, Number.MAX_SAFE_INTEGER),
      ),
    ),
  },
  closed('What runs on the servers.'),
);

export const layer = Type.Object(
  {
    role: oneOf('What the layer is for.', layerRoles),
    flag: text('Name of the layer, unique in the template.', { maxLength: 64, format: 'flag' }),
    provision: optional(provision),
    container: optional(container),
  },
  closed('One layer of the stack.'),
);

export const template = Type.Object(
  {
    version: Type.Literal(templateVersion, { description: 'Version of the template format.' }),
    label: optional(Type.String({ maxLength: 64, description: 'Label of this template version.' })),
    description: optional(Type.String({ maxLength: 255, description: 'What the stack is for.' })),
    nickname: optional(
      Type.String({ maxLength: 255, description: 'Name of the stack; not kept in the template.' }),
    ),
    vendor: optional(
      Type.Unknown({
        description:
          'One member, the vendor: cred (credential id), region, and secret where the credential is not registered yet. Ignored on update.',
      }),
    ),
    configurations: Type.Array(layer, {
      minItems: 1,
      maxItems: 100,
      description: 'The layers of the stack.',
    }),
  },
  closed('What a stack is.'),
);

export type Template = Static<typeof template>;
export type TemplateLayer = Static<typeof layer>;
export type TemplateProvision = Static<typeof provision>;
export type TemplateContainer = Static<typeof container>;
