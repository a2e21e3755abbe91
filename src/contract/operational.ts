import { Type } from 'typebox';
import { agentFileRoutes } from './agent-files.ts';
import { commandLine } from './command-line.ts';
import { type Route, route } from './route.ts';

/** For those who run the service, not for those who use it. */
export const healthz = route({
  name: 'healthz',
  method: 'GET',
  path: '/healthz',
  access: 'public',
  summary: 'Is the process alive',
  tag: 'Operation',
  bodyKind: 'none',
  replies: {
    200: { description: 'It is.', schema: Type.Object({ status: Type.String(), version: Type.String() }) },
  },
});

export const readyz = route({
  name: 'readyz',
  method: 'GET',
  path: '/readyz',
  access: 'public',
  summary: 'Can it serve requests',
  tag: 'Operation',
  bodyKind: 'none',
  replies: {
    200: { description: 'It can.', schema: Type.Object({ status: Type.String() }) },
    503: { description: 'Not now; the message says why.', schema: null },
  },
});

export const metrics = route({
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  access: 'public',
  summary: 'Measurements, in Prometheus text form',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'The measurements.', schema: null, contentType: 'text/plain' } },
});

export const openApi = route({
  name: 'openApi',
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'This description of the interface',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'An OpenAPI 3.1 document.', schema: Type.Object({}) } },
});

export const docs = route({
  name: 'docs',
  method: 'GET',
  path: '/docs',
  access: 'public',
  summary: 'The interface as a page to read and try',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'The page.', schema: null, contentType: 'text/html' } },
});

export const operationalRoutes: readonly Route[] = [
  healthz,
  readyz,
  metrics,
  openApi,
  docs,
  ...agentFileRoutes,
  commandLine,
];
