import { Type } from 'typebox';
import { route } from '../route.ts';
import { updateDataQuery } from '../v3/schemas/data.ts';
import { writeHeaders } from '../v3/schemas/stack.ts';

const stackIdQuery = Type.Object({ stack_id: Type.Optional(Type.String({ description: 'Stack id.' })) });

const textOrNull = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));

export const describeServerConfig = route({
  name: 'v2DescribeServerConfig',
  method: 'GET',
  path: '/v2/alm/serverconfig',
  access: { action: 'stack:describeStack' },
  summary: 'Get the server configuration',
  tag: 'Server configuration',
  query: stackIdQuery,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The server configuration without secrets.',
      schema: Type.Object({
        image: Type.String(),
        code: Type.String(),
        codeDir: Type.String(),
        ports: Type.Array(Type.Integer()),
        environmentVariables: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
        gitReference: Type.String(),
        keypair_id: Type.String(),
        updated: Type.Integer({ description: 'Unix time in seconds. Increases with every change.' }),
        version: Type.String({ description: 'Format version of this document.' }),
      }),
    },
  },
});

export const updateServerConfig = route({
  name: 'v2UpdateServerConfig',
  asksVendor: true,
  method: 'PUT',
  path: '/v2/alm/serverconfig',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Update the server configuration',
  description: 'Only the members in the request change. Secrets are write-only.',
  tag: 'Server configuration',
  query: Type.Object({ ...stackIdQuery.properties, ...updateDataQuery }),
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    stack_id: Type.Optional(
      Type.String({
        description: 'Stack id, in the body or query. If set in both, the values must be equal.',
      }),
    ),
    filepath: textOrNull(
      'Location of the code. Required with `privateKey` or `branch`. Null clears all three.',
    ),
    privateKey: textOrNull('Private key for a private repository. Null clears it.'),
    branch: textOrNull('Branch or tag. Null clears it.'),
    mackerelApiKey: Type.Optional(
      Type.Unknown({ description: 'API key of the monitoring service. Null clears it.' }),
    ),
    monitoringApiKey: Type.Optional(Type.Unknown({ description: 'Alias of `mackerelApiKey`.' })),
    envvars: Type.Optional(
      Type.Unknown({
        description:
          'All environment variables: an object, or an array of {name, value} or "NAME=value". Empty or null clears them.',
      }),
    ),
    keypair_id: Type.Optional(Type.Unknown({ description: 'Key pair of the servers. Null clears it.' })),
  }),
  replies: {
    200: {
      description: 'The server configuration is updated.',
      schema: Type.Object({ status: Type.String() }),
    },
  },
  examples: {
    body: { stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk', envvars: { LOG_LEVEL: 'debug' } },
    reply: { status: 'success' },
  },
});

export const serverConfigRoutes = [describeServerConfig, updateServerConfig] as const;
