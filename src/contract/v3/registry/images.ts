import { Type } from 'typebox';
import { route } from '../../route.ts';
import { cursor, limit } from '../schemas/page.ts';
import {
  changedRepository,
  deletedImage,
  deletionPreview,
  exampleRepository,
  repository,
} from '../schemas/repository.ts';

const imageId = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });

const repositoryId = imageId('`<user>/<name>`; a tag is ignored.');

/** Every route that reads the registry itself. */
const registryFailures = {
  404: {
    description: 'The repository or image does not exist, or the server has no registry.',
    schema: null,
  },
  502: { description: 'The registry does not answer, or its answer is not usable.', schema: null },
} as const;

export const listRepositories = route({
  name: 'v3ListRepositories',
  compressed: true,
  method: 'GET',
  path: '/v3/alm/registry',
  access: { action: 'registry:pull' },
  summary: 'List repositories, or describe one',
  description:
    'Without `targetValue`, lists the repositories of the container registry that you may pull from, by name. The list is read ' +
    'from an index, which the registry keeps up to date by notifications. With `limit`, returns one page; the `Link` and ' +
    '`X-Next-Cursor` headers identify the next page. With `targetValue`, returns an array that contains only this repository, ' +
    'with its tags, after asking the registry.',
  tag: 'Registry',
  query: Type.Object({
    targetKey: Type.Optional(Type.Literal('repository', { description: 'Always `repository`.' })),
    targetValue: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'Name of the repository to describe.' }),
    ),
    limit,
    cursor,
  }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The repositories.', schema: Type.Array(repository) },
    ...registryFailures,
  },
  examples: { reply: [exampleRepository] },
});

export const listImageTags = route({
  name: 'v3ListImageTags',
  method: 'GET',
  path: '/v3/alm/registry/imagetags',
  access: { action: 'registry:pull' },
  summary: 'List the tags of a repository',
  description: 'Asks the registry.',
  tag: 'Registry',
  query: Type.Object({
    image_id: repositoryId,
    account_id: Type.Optional(
      Type.String({ maxLength: 512, description: 'Ignored; existing clients send it.' }),
    ),
  }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The tags, by name.',
      schema: Type.Object({ name: Type.String(), tags: Type.Array(Type.String()) }),
    },
    ...registryFailures,
  },
  examples: { reply: { name: 'ann/shop', tags: ['1.4', 'latest'] } },
});

export const setDescription = route({
  name: 'v3SetRepositoryDescription',
  method: 'PUT',
  path: '/v3/alm/registry/description',
  access: { action: 'registry:push' },
  summary: 'Set the description of a repository',
  tag: 'Registry',
  query: Type.Object({
    image_id: repositoryId,
    description: Type.String({ maxLength: 1000, description: 'What the repository contains. Empty: none.' }),
  }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The description is set.', schema: changedRepository },
    ...registryFailures,
  },
  examples: { reply: { status: 'success', repository: 'ann/shop' } },
});

export const setVisibility = route({
  name: 'v3SetRepositoryVisibility',
  method: 'PUT',
  path: '/v3/alm/registry/visibility',
  access: { action: 'registry:delete' },
  summary: 'Publish a repository, or make it private',
  description:
    'Anybody who reaches the registry may pull from a public repository, also without signing in. A new repository is private. ' +
    'Needs `registry:push` and `registry:delete` on the repository.',
  tag: 'Registry',
  query: Type.Object({
    image_id: repositoryId,
    visibility: Type.Enum(['public', 'private'], { description: 'Who may pull.' }),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The visibility is set.', schema: changedRepository }, ...registryFailures },
  examples: { reply: { status: 'success', repository: 'ann/shop' } },
});

const deletedId = imageId(
  '`<user>/<name>:<tag>` deletes this tag alone. `<user>/<name>@<digest>` deletes this content with all its tags. ' +
    '`<user>/<name>` deletes everything in the repository.',
);

export const previewDeletion = route({
  name: 'v3PreviewImageDeletion',
  method: 'GET',
  path: '/v3/alm/registry/image/deletion',
  access: { action: 'registry:delete' },
  summary: 'Preview the deletion of an image',
  description: 'Returns what `DELETE /v3/alm/registry/image` would delete. Nothing is changed.',
  tag: 'Registry',
  query: Type.Object({ image_id: deletedId }),
  bodyKind: 'none',
  replies: { 200: { description: 'The effect.', schema: deletionPreview }, ...registryFailures },
  examples: {
    reply: {
      repository: 'ann/shop',
      tags: ['1.4'],
      digests: [],
      stacks: [],
      needs_force: false,
      reason: '',
    },
  },
});

export const deleteImage = route({
  name: 'v3DeleteImage',
  method: 'DELETE',
  path: '/v3/alm/registry/image',
  access: { action: 'registry:delete' },
  summary: 'Delete an image',
  description:
    'Content that another tag refers to stays. The space is free after the garbage collection of the registry.',
  tag: 'Registry',
  query: Type.Object({
    image_id: deletedId,
    force: Type.Optional(
      Type.Boolean({
        description: 'Also delete what a stack uses, and content that several tags refer to. Default: false.',
      }),
    ),
  }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The image is deleted.', schema: deletedImage },
    ...registryFailures,
    409: {
      description:
        'A stack uses the image, or tags refer to this content. The message names them; `force=true` deletes it anyway.',
      schema: null,
    },
  },
  examples: { reply: { status: 'success', repository: 'ann/shop', tags: ['1.4'], digests: [] } },
});

export const registryImageRoutes = [
  listRepositories,
  listImageTags,
  setDescription,
  setVisibility,
  previewDeletion,
  deleteImage,
] as const;
