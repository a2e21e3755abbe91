import { Type } from 'typebox';
import { route } from '../route.ts';
import { writeHeaders } from '../v3/schemas/stack.ts';

const stackIdQuery = Type.Object({ stack_id: Type.Optional(Type.String({ description: 'Which stack.' })) });

const textOrNull = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));

export const describeServerConfig = route({
  name: 'v2DescribeServerConfig',
  method: 'GET',
  path: '/v2/alm/serverconfig',
  access: { action: 'stack:describeStack' },
  summary: "Describe what a stack's servers run",
  tag: 'Server configuration',
  query: stackIdQuery,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The server configuration, less every secret.',
      schema: Type.Object({
        image: Type.String(),
        code: Type.String(),
        codeDir: Type.String(),
        ports: Type.Array(Type.Integer()),
        environmentVariables: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
        gitReference: Type.String(),
        keypair_id: Type.String(),
        updated: Type.Integer({ description: 'Unix seconds; rises with every change.' }),
        version: Type.String({ description: 'Format of this document.' }),
      }),
    },
  },
});

export const updateServerConfig = route({
  name: 'v2UpdateServerConfig',
  method: 'PUT',
  path: '/v2/alm/serverconfig',
  access: { action: 'template:updateAlmTemplate' },
  summary: "Change what a stack's servers run",
  description: 'Each group of members alone or together. Secrets go in and never come out.',
  tag: 'Server configuration',
  query: stackIdQuery,
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    stack_id: Type.Optional(Type.String({ description: 'Here or in the query; in both, the same.' })),
    filepath: textOrNull(
      'Where the code is; required with privateKey or branch. Null clears, and them with it.',
    ),
    privateKey: textOrNull('For a private repository; null clears.'),
    branch: textOrNull('Branch or tag; null clears.'),
    mackerelApiKey: Type.Optional(
      Type.Unknown({ description: 'Key of the monitoring service; null clears.' }),
    ),
    monitoringApiKey: Type.Optional(Type.Unknown({ description: 'The same.' })),
    envvars: Type.Optional(
      Type.Unknown({
        description:
          'The whole environment: an object, or a list of {name, value} or of "NAME=value". Empty or null clears.',
      }),
    ),
    keypair_id: Type.Optional(Type.Unknown({ description: 'Key pair of the servers; null clears.' })),
  }),
  replies: { 200: { description: 'Changed.', schema: Type.Object({ status: Type.String() }) } },
  examples: {
    body: { stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk', envvars: { LOG_LEVEL: 'debug' } },
    reply: { status: 'success' },
  },
});

export const serverConfigRoutes = [describeServerConfig, updateServerConfig];
