import { Type } from 'typebox';
import { agentFileRoutes } from './agent-files.ts';
import { commandLine } from './command-line.ts';
import { type Route, route } from './route.ts';

/** Routes for operators of the service. */
export const healthz = route({
  name: 'healthz',
  method: 'GET',
  path: '/healthz',
  access: 'public',
  summary: 'Check liveness',
  description: 'Succeeds while the process runs. Use it as a liveness probe.',
  tag: 'Operation',
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The process is alive.',
      schema: Type.Object({ status: Type.String(), version: Type.String() }),
    },
  },
});

export const readyz = route({
  name: 'readyz',
  method: 'GET',
  path: '/readyz',
  access: 'public',
  summary: 'Check readiness',
  description: 'Succeeds while the server can serve requests. Use it as a readiness probe.',
  tag: 'Operation',
  bodyKind: 'none',
  replies: {
    200: { description: 'The server is ready.', schema: Type.Object({ status: Type.String() }) },
    503: { description: 'The server is not ready. `message` contains the reason.', schema: null },
  },
});

export const metrics = route({
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  access: 'public',
  summary: 'Get metrics',
  description: 'Returns metrics in the Prometheus text format.',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'The metrics.', schema: null, contentType: 'text/plain' } },
});

export const openApi = route({
  name: 'openApi',
  compressed: true,
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'Get the OpenAPI document',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'An OpenAPI 3.1 document.', schema: Type.Object({}) } },
});

const fileHeaders = Type.Object({
  'accept-encoding': Type.Optional(
    Type.String({ description: 'With `br` or `gzip`, the reply is compressed.' }),
  ),
  'if-none-match': Type.Optional(Type.String({ description: '`ETag` of a copy that the caller has.' })),
});

export const docs = route({
  name: 'docs',
  method: 'GET',
  path: '/docs',
  access: 'public',
  summary: 'Open the API reference',
  description:
    'Returns the first page of the API reference, which is made from the routes that this server serves.',
  tag: 'Operation',
  headers: fileHeaders,
  bodyKind: 'none',
  replies: {
    200: { description: 'The page.', schema: null, contentType: 'text/html' },
    304: { description: "The caller's copy is current.", schema: null },
  },
});

export const docsArea = route({
  ...docs,
  name: 'docsArea',
  path: '/docs/{area}',
  summary: 'Open a page of the API reference',
  description: 'Returns the operations of one area, such as `v3-stacks`, or all `schemas`.',
  params: Type.Object({ area: Type.String() }),
  replies: { ...docs.replies, 404: { description: 'There is no such page.', schema: null } },
});

export const docsFile = route({
  name: 'docsFile',
  method: 'GET',
  path: '/docs/static/{file}',
  access: 'public',
  summary: 'Get a file of the API reference',
  description: 'The script, the style and the icon of the reference.',
  tag: 'Operation',
  params: Type.Object({ file: Type.String() }),
  headers: fileHeaders,
  bodyKind: 'none',
  replies: {
    200: { description: 'The file.', schema: null, contentType: 'text/javascript' },
    304: { description: "The caller's copy is current.", schema: null },
    404: { description: 'There is no such file.', schema: null },
  },
});

export const operationalRoutes: readonly Route[] = [
  healthz,
  readyz,
  metrics,
  openApi,
  docs,
  docsArea,
  docsFile,
  ...agentFileRoutes,
  commandLine,
];
