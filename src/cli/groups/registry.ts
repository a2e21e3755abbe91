import { documentFormats, type Flag, type TextFlag, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const accessFor = (scope: string): readonly Flag[] => [
  text('username', 'user of the registry; who signed in when left out', { value: 'name' }),
  text('password', 'its password; asked for when it is not known', { value: 'password' }),
  text('service', 'what the registry calls itself, where it does not say so', {
    value: 'name',
    default: 'almanac-registry',
  }),
  text('scope', `what the token is for; ${scope} when left out`, { value: 'scope' }),
];

const image = (about: string, value: string): TextFlag => text('image', about, { value, required: true });

const ofOne = 'the image; your user name is put before one that has no /';

export const registryGroup: Group = {
  name: 'registry',
  about: 'Images in your private registry',
  commands: [
    {
      path: 'registry catalog',
      about: 'List the images; slow where there are many',
      more: 'Shows those of the user, <user>/<name>. With --scope it shows all that the token lets it see.',
      flags: accessFor('registry:catalog:*'),
      formats: tableFormats,
      examples: ['alm registry catalog', "alm registry catalog --scope 'registry:catalog:*'"],
      load: async () => (await import('../commands/registry.ts')).showCatalog,
    },
    {
      path: 'registry tags',
      about: 'List the tags of an image',
      flags: [image(ofOne, 'image'), ...accessFor('repository:<image>:pull')],
      positionals: ['image'],
      formats: tableFormats,
      examples: ['alm registry tags --image shop'],
      load: async () => (await import('../commands/registry.ts')).showTags,
    },
    {
      path: 'registry manifest',
      about: 'Print the manifest of an image',
      more: 'The manifest is printed as it is, to the byte; what is not said of the image is its tag latest.',
      flags: [image(ofOne, 'image:tag'), ...accessFor('repository:<image>:pull')],
      positionals: ['image'],
      formats: ['raw', 'json', 'yaml', 'min'],
      examples: ['alm registry manifest --image shop:1.4', 'alm registry manifest ann/shop@sha256:<digest>'],
      load: async () => (await import('../commands/registry.ts')).showManifest,
    },
    {
      path: 'registry delete',
      about: 'Delete a tag of an image, and what it stands for',
      more: 'A registry deletes content and every tag that stands for it. Where other tags have the same content nothing is deleted and the exit code is 7, unless --force says that they may go too.',
      flags: [
        image(ofOne, 'image:tag'),
        toggle('force', 'delete other tags of the same content too'),
        ...accessFor('repository:<image>:*'),
      ],
      positionals: ['image'],
      formats: documentFormats,
      examples: ['alm registry delete --image shop:1.3'],
      load: async () => (await import('../commands/registry.ts')).deleteImage,
    },
    {
      path: 'registry token',
      about: 'Get a token for the registry',
      more: 'Prints the token alone; --fmt raw prints the whole answer.',
      flags: accessFor('registry:catalog:*'),
      formats: tableFormats,
      examples: ['TOKEN=$(alm registry token)', "alm registry token --scope 'repository:ann/shop:*'"],
      load: async () => (await import('../commands/registry.ts')).showToken,
    },
  ],
};
