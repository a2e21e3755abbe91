import { documentFormats, type Flag, type TextFlag, tableFormats, text, toggle, yes } from '../args/flag.ts';
import type { Group } from '../command.ts';

const userFlags: readonly Flag[] = [
  text('username', 'registry user; the signed-in user if omitted', { value: 'name' }),
  text('password', 'registry password; prompted if not known', { value: 'password' }),
];

const accessFlags = (scope: string): readonly Flag[] => [
  ...userFlags,
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
      more: 'Lists the images in your namespace. With --all, lists all images of the account that you may pull; with --scope, all images that the token can read, which is slow for large registries.',
      flags: [toggle('all', 'list the images of all users'), ...accessFlags('registry:catalog:*')],
      formats: tableFormats,
      examples: ['alm registry catalog', 'alm registry catalog --all'],
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
      path: 'registry describe',
      about: 'Show an image: visibility, description, and every tag with size, platforms and who pushed it',
      flags: [image('image'), ...userFlags],
      positionals: ['image'],
      formats: tableFormats,
      examples: ['alm registry describe --image shop', 'alm registry describe ann/shop --fmt json'],
      load: async () => (await import('../commands/registry/describe.ts')).describeImage,
    },
    {
      path: 'registry description',
      about: 'Set the description of an image',
      flags: [
        image('image'),
        text('text', 'the description; empty removes it', { value: 'text', required: true }),
      ],
      positionals: ['image', 'text'],
      formats: documentFormats,
      examples: ["alm registry description shop 'The shop'"],
      load: async () => (await import('../commands/registry/description.ts')).setDescription,
    },
    {
      path: 'registry visibility',
      about: 'Let everybody pull an image, or only users with the right to',
      flags: [
        image('image'),
        text('visibility', 'who may pull; a new image is private', {
          value: 'visibility',
          required: true,
          choices: ['public', 'private'],
        }),
      ],
      positionals: ['image', 'visibility'],
      formats: documentFormats,
      examples: ['alm registry visibility shop public'],
      load: async () => (await import('../commands/registry/visibility.ts')).setVisibility,
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
      more: [
        'In the registry of Almanac, deletes only the tag: content that other tags refer to stays. If a stack uses the image, or a digest has tags, nothing is deleted and the exit code is 7, unless --force is given.',
        'Another registry deletes content together with every tag that refers to it. If other tags have the same content, nothing is deleted and the exit code is 7, unless --force is given.',
      ].join('\n'),
      flags: [
        image('image:tag'),
        toggle('all', 'delete the image with all its tags'),
        toggle('force', 'also delete what a stack uses, and other tags with the same content'),
        toggle('preview', 'show what would be deleted, and delete nothing'),
        ...accessFlags('repository:<image>:*'),
        yes,
      ],
      positionals: ['image'],
      formats: documentFormats,
      examples: ['alm registry delete --image shop:1.3', 'alm registry delete shop --all'],
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
    {
      path: 'registry login',
      about: 'Let docker, podman and skopeo use your login',
      more: [
        'Writes the program docker-credential-alm, and names it for the registry in ~/.docker/config.json and, where they exist, in the authentication files of podman. Other content of these files is kept.',
        'Container tools then ask alm for credentials when they need them, and get a token that is valid for at most an hour. No password is written.',
      ].join('\n'),
      flags: [
        text(
          'dir',
          'directory in your PATH for docker-credential-alm; by default that of alm, or ~/.local/bin',
          {
            value: 'directory',
            complete: 'file',
          },
        ),
      ],
      formats: [],
      examples: ['alm registry login', 'alm registry login --dir ~/bin'],
      load: async () => (await import('../commands/registry/login.ts')).loginToRegistry,
    },
    {
      path: 'registry logout',
      about: 'Stop docker, podman and skopeo from using your login',
      more: 'Undoes "registry login", for all registries of the profile, or for the one given with --rurl. Your login stays.',
      flags: [],
      formats: [],
      examples: ['alm registry logout'],
      load: async () => (await import('../commands/registry/logout.ts')).logoutOfRegistry,
    },
    {
      path: 'registry credential',
      about: "Answer a container tool, in the protocol of docker's credential helpers",
      more: 'The program docker-credential-alm runs this command; you rarely need it. It reads its input from standard input.',
      flags: [
        text('action', 'what the container tool asks for', {
          value: 'action',
          required: true,
          choices: ['get', 'store', 'erase', 'list'],
        }),
      ],
      positionals: ['action'],
      formats: [],
      standalone: true,
      examples: ['alm registry credential get'],
      load: async () => (await import('../commands/registry/credential.ts')).provideCredentials,
    },
  ],
};
