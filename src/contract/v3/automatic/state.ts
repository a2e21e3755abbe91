import { Type } from 'typebox';
import { route } from '../../route.ts';
import { stackParams } from '../schemas/stack.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const layer = Type.Object({
  flag: Type.String(),
  track: Type.String({ description: 'What the layer follows.' }),
  image: Type.String({ description: 'Its present image.' }),
  digest: Type.String({ description: 'The content of that image; empty: not known.' }),
  would_have_deployed: orNull(
    Type.Object({ tag: Type.String(), digest: Type.String(), at: Type.String() }),
    'The newest push that was not deployed because the stack is paused.',
  ),
});

const automatic = Type.Object(
  {
    stack_id: Type.String(),
    paused: Type.Boolean(),
    paused_by: Type.String({ description: 'Who paused it; empty: nobody.' }),
    paused_at: orNull(Type.String(), 'ISO 8601 UTC.'),
    layers: Type.Array(layer, { description: 'The layers that follow an image.' }),
    deploy_hook: Type.Boolean({ description: 'Whether the stack has a deploy hook.' }),
    last_version: orNull(
      Type.Object({ version_id: Type.String(), cause: Type.String(), created_at: Type.String() }),
      'The last version that a push or the deploy hook made.',
    ),
  },
  { $id: 'Automatic' },
);

const common = {
  path: '/v3/alm/stack/{stack_id}/automatic',
  tag: 'Push to deploy',
  params: stackParams,
  replies: { 200: { description: 'What happens to the stack by itself.', schema: automatic } },
} as const;

export const describeAutomatic = route({
  ...common,
  name: 'v3DescribeAutomatic',
  method: 'GET',
  access: { action: 'stack:describeStack' },
  summary: 'Describe automatic versions',
  bodyKind: 'none',
});

export const setAutomatic = route({
  ...common,
  name: 'v3SetAutomatic',
  method: 'PUT',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Pause or resume automatic versions',
  description:
    'While a stack is paused, neither a push nor its deploy hook makes a version. Resuming makes up for nothing: the next push or call counts.',
  bodyKind: 'fields',
  body: Type.Object({ paused: Type.Boolean() }),
});

export const automaticRoutes = [describeAutomatic, setAutomatic] as const;
