import { Type } from 'typebox';

const time = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const pushedBy = Type.String({ description: 'Name that pushed it; empty: not known.' });

const usingStack = Type.Object({ stack_id: Type.String(), nickname: Type.String() });

const tag = Type.Object(
  {
    size: Type.Integer({ description: 'Bytes of all platforms, as they are stored.' }),
    digest: Type.String(),
    media_type: Type.String(),
    platforms: Type.Array(Type.String(), { description: 'Such as `linux/arm64`.' }),
    pushed_by: pushedBy,
    pushed_at: time('Time of the push; null: not known.'),
    pulled_at: time('Time of the last pull that was reported; null: none.'),
    stacks: Type.Array(usingStack, { description: 'Stacks that use it, as far as you may see them.' }),
  },
  { $id: 'ImageTag' },
);

export const repository = Type.Object(
  {
    repository: Type.String({ description: 'Name, such as `ann/shop`.' }),
    image: Type.String({ description: 'Name with the registry, as templates and `docker pull` need it.' }),
    size: Type.Integer({ description: 'Bytes of all tags. Content with several tags counts once.' }),
    created_at: Type.String(),
    visibility: Type.Enum(['private', 'public']),
    description: Type.String(),
    tag_count: Type.Integer(),
    pushed_by: pushedBy,
    pushed_at: time('Time of the last push of any tag; null: not known.'),
    tags: Type.Optional(
      Type.Record(Type.String(), tag, { description: 'By name. Only if one repository is described.' }),
    ),
    actions: Type.Optional(
      Type.Array(Type.Enum(['pull', 'push', 'delete']), {
        description: 'What you may do with it. Only if one repository is described.',
      }),
    ),
  },
  { $id: 'Repository' },
);

const digestExample = `sha256:${'0f'.repeat(32)}`;

export const exampleRepository = {
  repository: 'ann/shop',
  image: 'registry.example.com/ann/shop',
  size: 31_457_280,
  created_at: '2030-01-01T00:00:00+00:00',
  visibility: 'private',
  description: 'The shop',
  tag_count: 1,
  pushed_by: 'ann',
  pushed_at: '2030-01-01T00:00:00+00:00',
  tags: {
    '1.4': {
      size: 31_457_280,
      digest: digestExample,
      media_type: 'application/vnd.oci.image.index.v1+json',
      platforms: ['linux/amd64', 'linux/arm64'],
      pushed_by: 'ann',
      pushed_at: '2030-01-01T00:00:00+00:00',
      pulled_at: null,
      stacks: [],
    },
  },
  actions: ['pull', 'push', 'delete'],
};

export const changedRepository = Type.Object({ status: Type.String(), repository: Type.String() });

const effect = {
  repository: Type.String(),
  tags: Type.Array(Type.String(), { description: 'Tags that no longer exist afterwards.' }),
  digests: Type.Array(Type.String(), { description: 'Contents that no longer exist afterwards.' }),
};

export const deletedImage = Type.Object({ status: Type.String(), ...effect });

export const deletionPreview = Type.Object({
  ...effect,
  stacks: Type.Array(usingStack, { description: 'Stacks that use it, as far as you may see them.' }),
  needs_force: Type.Boolean({ description: 'The deletion is refused without `force=true`.' }),
  reason: Type.String({ description: 'Why; empty: it does not need `force`.' }),
});
