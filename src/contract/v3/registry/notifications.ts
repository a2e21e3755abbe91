import { Type } from 'typebox';
import { route } from '../../route.ts';

const optional = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

const event = Type.Object({
  action: Type.String({ maxLength: 100, description: '`push`, `pull` or `delete`; others are ignored.' }),
  timestamp: optional(100),
  target: Type.Optional(
    Type.Object({
      mediaType: optional(255),
      digest: optional(512),
      repository: optional(512),
      tag: optional(512),
    }),
  ),
  actor: Type.Optional(Type.Object({ name: optional(1000) })),
});

const receiveNotifications = route({
  name: 'v3ReceiveRegistryNotifications',
  method: 'POST',
  path: '/v3/docker/notifications',
  access: 'public',
  takesToken: true,
  countedAfterSignIn: true,
  summary: 'Receive notifications of the registry',
  description:
    'For the registry only, with the secret of its configuration as bearer token: `almanac registry config` prints it. The index ' +
    'follows later, account by account, and is read again if the server ends before.',
  tag: 'Registry',
  bodyKind: 'fields',
  body: Type.Object({ events: Type.Array(event, { maxItems: 1000 }) }),
  replies: {
    202: {
      description: 'The events will be in the index.',
      schema: Type.Object({
        status: Type.String(),
        received: Type.Integer({ description: 'Events about manifests; others are ignored.' }),
      }),
    },
    401: { description: 'The secret is missing or wrong.', schema: null },
    404: { description: 'The server has no registry.', schema: null },
  },
  examples: {
    body: {
      events: [
        {
          action: 'push',
          timestamp: '2030-01-01T00:00:00Z',
          target: {
            mediaType: 'application/vnd.oci.image.manifest.v1+json',
            digest: `sha256:${'0f'.repeat(32)}`,
            repository: 'ann/shop',
            tag: '1.4',
          },
          actor: { name: 'ann' },
        },
      ],
    },
    reply: { status: 'success', received: 1 },
  },
});

export const registryNotificationRoutes = [receiveNotifications] as const;
