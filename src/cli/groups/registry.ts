import type { Group } from '../command.ts';
import { documentFormats, type Flag, type TextFlag, text } from '../flag.ts';

const access: readonly Flag[] = [
  text('username', 'user of the registry; who signed in when left out', { value: 'name' }),
  text('password', 'its password; asked for when it is not known', { value: 'password' }),
  text('service', 'what the registry calls itself', { value: 'name', default: 'almanac-registry' }),
  text('scope', 'what the token is for; what the command needs when left out', { value: 'scope' }),
];

const image = (about: string): TextFlag => text('image', about, { value: 'image', required: true });

export const registryGroup: Group = {
  name: 'registry',
  about: 'Images in your private registry',
  commands: [
    {
      path: 'registry catalog',
      about: 'List the images; slow where there are many',
      flags: access,
      formats: ['table', 'json', 'raw', 'yaml', 'min'],
      examples: ['alm registry catalog'],
      load: async () => (await import('../commands/registry.ts')).showCatalog,
    },
    {
      path: 'registry tags',
      about: 'List the tags of an image',
      flags: [image('the image'), ...access],
      bare: ['image'],
      formats: ['table', 'json', 'raw', 'yaml', 'min'],
      examples: ['alm registry tags --image shop'],
      load: async () => (await import('../commands/registry.ts')).showTags,
    },
    {
      path: 'registry manifest',
      about: 'Print the manifest of an image',
      flags: [image('image:tag'), ...access],
      bare: ['image'],
      formats: ['raw', 'json', 'yaml', 'min'],
      examples: ['alm registry manifest --image shop:1.4'],
      load: async () => (await import('../commands/registry.ts')).showManifest,
    },
    {
      path: 'registry delete',
      about: 'Delete a tag of an image, and every tag of the same content',
      flags: [image('image:tag'), ...access],
      bare: ['image'],
      formats: documentFormats,
      examples: ['alm registry delete --image shop:1.3'],
      load: async () => (await import('../commands/registry.ts')).deleteImage,
    },
    {
      path: 'registry token',
      about: 'Get a token for the registry',
      flags: access,
      formats: ['table', 'json', 'raw', 'yaml', 'min'],
      examples: ["alm registry token --scope 'repository:ann/shop:*'"],
      load: async () => (await import('../commands/registry.ts')).showToken,
    },
  ],
};
