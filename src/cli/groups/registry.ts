import { documentFormats, type Flag, type TextFlag, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const accessFlags = (scope: string): readonly Flag[] => [
  text('username', 'registry user; the signed-in user if omitted', { value: 'name' }),
  text('password', 'registry password; prompted if not known', { value: 'password' }),
  text('service', 'service name of the registry, if the registry does not report it', {
    value: 'name',
    default: 'almanac-registry',
  }),
  text('scope', `token scope; ${scope} if omitted`, { value: 'scope' }),
];

const image = (value: string): TextFlag =>
  text('image', 'image; a name without / is prefixed with your user name', { value, required: true });

export const registryGroup: Group = {
  name: 'registry',
  about: 'Manage images in your private registry',
  commands: [
    {
      path: 'registry catalog',
      about: 'List your images',
      more: 'Lists the images of the user, <user>/<name>. With --scope, lists all images that the token can read. Slow for large registries.',
      flags: accessFlags('registry:catalog:*'),
      formats: tableFormats,
      examples: ['alm registry catalog', "alm registry catalog --scope 'registry:catalog:*'"],
      load: async () => (await import('../commands/registry/catalog.ts')).showCatalog,
    },
    {
      path: 'registry tags',
      about: 'List the tags of an image',
      flags: [image('image'), ...accessFlags('repository:<image>:pull')],
      positionals: ['image'],
      formats: tableFormats,
      examples: ['alm registry tags --image shop'],
      load: async () => (await import('../commands/registry/tags.ts')).showTags,
    },
    {
      path: 'registry manifest',
      about: 'Print the manifest of an image',
      more: 'Prints the manifest byte for byte. The default tag is latest.',
      flags: [image('image:tag'), ...accessFlags('repository:<image>:pull')],
      positionals: ['image'],
      formats: ['raw', 'json', 'yaml', 'min'],
      examples: ['alm registry manifest --image shop:1.4', 'alm registry manifest ann/shop@sha256:<digest>'],
      load: async () => (await import('../commands/registry/manifest.ts')).showManifest,
    },
    {
      path: 'registry delete',
      about: 'Delete a tag of an image and its content',
      more: 'A registry deletes content together with every tag that refers to it. If other tags have the same content, nothing is deleted and the exit code is 7, unless --force is given.',
      flags: [
        image('image:tag'),
        toggle('force', 'also delete other tags with the same content'),
        ...accessFlags('repository:<image>:*'),
      ],
      positionals: ['image'],
      formats: documentFormats,
      examples: ['alm registry delete --image shop:1.3'],
      load: async () => (await import('../commands/registry/delete.ts')).deleteImage,
    },
    {
      path: 'registry token',
      about: 'Print a registry token',
      more: 'Prints only the token; --fmt raw prints the whole response.',
      flags: accessFlags('registry:catalog:*'),
      formats: tableFormats,
      examples: ['TOKEN=$(alm registry token)', "alm registry token --scope 'repository:ann/shop:*'"],
      load: async () => (await import('../commands/registry/token.ts')).showToken,
    },
  ],
};
