import { Type } from 'typebox';
import { route } from '../../route.ts';
import { stackParams } from '../schemas/stack.ts';

const time = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description} ISO 8601 UTC.` });

const tag = 'Push to deploy';

export const createHook = route({
  name: 'v3CreateDeployHook',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/deploy-hook',
  access: { action: 'template:updateAlmTemplate' },
  proof: 'browser',
  summary: 'Create a deploy hook',
  description:
    'Creates the deploy hook of a stack, or gives it a new secret: the old one is invalid then, the URL stays. It acts with the rights of its creator at the time of each call. The secret is returned only here.',
  tag,
  params: stackParams,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The hook.',
      schema: Type.Object(
        {
          stack_id: Type.String(),
          url: Type.String({ description: 'Where forges and CI send their requests.' }),
          secret: Type.String({ description: 'Signs requests, or is sent as a bearer token.' }),
        },
        { $id: 'CreatedDeployHook' },
      ),
    },
  },
});

export const describeHook = route({
  name: 'v3DescribeDeployHook',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/deploy-hook',
  access: { action: 'stack:describeStack' },
  summary: 'Describe a deploy hook',
  tag,
  params: stackParams,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'Whether the stack has a deploy hook, and how it was used last. Never its secret.',
      schema: Type.Object(
        {
          stack_id: Type.String(),
          exists: Type.Boolean(),
          url: Type.String({ description: 'Empty if there is none.' }),
          created_by: Type.String({ description: 'In whose name it acts.' }),
          created_at: time('When its secret was made.'),
          last_used_at: time('Last call with the right secret.'),
          last_result: Type.String({ description: 'What came of that call.' }),
        },
        { $id: 'DeployHook' },
      ),
    },
  },
});

export const deleteHook = route({
  name: 'v3DeleteDeployHook',
  method: 'DELETE',
  path: '/v3/alm/stack/{stack_id}/deploy-hook',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Delete a deploy hook',
  tag,
  params: stackParams,
  bodyKind: 'none',
  replies: {
    200: { description: 'It is deleted.', schema: Type.Object({ status: Type.String() }) },
  },
});

const header = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }));

const callHook = route({
  name: 'v3CallDeployHook',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/hooks/deploy/{hook_id}',
  access: 'public',
  takesToken: true,
  summary: 'Call a deploy hook',
  description:
    'For forges (GitHub, Gitea, GitLab) and CI, which prove with the secret of the hook who they are: by a signature of the body, or by the secret itself as `X-Gitlab-Token` or bearer token. ' +
    'A push event deploys the layers whose `container_git_repo` and `container_git_reference` it concerns. A body with `image` deploys that image. A call with a bearer token and neither deploys the same again. ' +
    'A repeated delivery makes nothing.',
  tag,
  params: Type.Object({ hook_id: Type.String({ maxLength: 64 }) }),
  headers: Type.Object({
    'x-hub-signature-256': header('`sha256=` and the HMAC-SHA256 of the body, in hexadecimal digits.'),
    'x-github-delivery': header('Id of the delivery.'),
    'x-gitea-signature': header('HMAC-SHA256 of the body, in hexadecimal digits.'),
    'x-gitea-delivery': header('Id of the delivery.'),
    'x-gitlab-token': header('The secret.'),
    'x-gitlab-event-uuid': header('Id of the delivery.'),
    'idempotency-key': header('Id of the delivery.'),
  }),
  bodyKind: 'document',
  body: Type.Object({
    image: Type.Optional(Type.String({ description: 'The image to deploy.' })),
    flag: Type.Optional(
      Type.String({
        description: 'The layer that gets it. Default: those that run the same image, or the only one.',
      }),
    ),
    timestamp: Type.Optional(
      Type.Unknown({ description: 'With it, the same body is deployed once. Any value.' }),
    ),
  }),
  replies: {
    401: { description: 'The request comes from a page of another origin.', schema: null },
    200: {
      description: 'The call was processed.',
      schema: Type.Object(
        {
          status: Type.String(),
          result: Type.String({
            description: '`deployed`, `nothing to deploy`, `paused` or `already processed`.',
          }),
          version_id: Type.Union([Type.String(), Type.Null()], { description: 'The new version.' }),
        },
        { $id: 'DeployHookResult' },
      ),
    },
    403: { description: 'The creator of the hook may no longer update the stack.', schema: null },
    404: { description: 'There is no such hook, or the signature is wrong.', schema: null },
    409: { description: 'The stack cannot be updated, or data would be lost.', schema: null },
    429: { description: 'More than 10 calls in a minute.', schema: null },
  },
  examples: {
    body: { image: 'registry.example.com/ann/shop:1.4.2' },
    reply: { status: 'success', result: 'deployed', version_id: 'k3Yw1QmZp7vXc2Rt9LbN4sHd6JfG8aEu' },
  },
});

export const hookRoutes = [createHook, describeHook, deleteHook, callHook] as const;
