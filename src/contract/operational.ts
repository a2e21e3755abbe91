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
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'Get the OpenAPI document',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'An OpenAPI 3.1 document.', schema: Type.Object({}) } },
});

const ifNoneMatch = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: '`ETag` of a copy that the caller has.' })),
});

export const docs = route({
  name: 'docs',
  method: 'GET',
  path: '/docs',
  access: 'public',
  summary: 'Open the API reference',
  description: 'Returns an interactive page generated from the OpenAPI document.',
  tag: 'Operation',
  headers: ifNoneMatch,
  bodyKind: 'none',
  replies: {
    200: { description: 'The page.', schema: null, contentType: 'text/html' },
    304: { description: "The caller's copy is current.", schema: null },
  },
});

export const docsFile = route({
  name: 'docsFile',
  method: 'GET',
  path: '/docs/static/{file}',
  access: 'public',
  summary: 'Get a file of the API reference',
  description: 'Scripts and styles of the interactive page.',
  tag: 'Operation',
  params: Type.Object({ file: Type.String() }),
  headers: ifNoneMatch,
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
  docsFile,
  ...agentFileRoutes,
  commandLine,
];
