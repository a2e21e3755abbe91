import { errorBody } from './error-body.ts';
import { schemaCollector } from './openapi-schemas.ts';
import type { DeclaredReply, Route } from './route.ts';

export interface OpenApiOptions {
  routes: readonly Route[];
  version: string;
  title?: string;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, object>>;
  components: {
    securitySchemes: Record<string, object>;
    responses: Record<string, object>;
    schemas: Record<string, unknown>;
  };
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const yaml = 'application/x-yaml';

/** Error responses a route can have because of its declaration; shared by all routes as named responses. */
const failures = {
  400: { name: 'BadRequest', description: 'The request is invalid. `problems` lists every error.' },
  401: { name: 'Unauthorized', description: 'The access token is missing, invalid or expired.' },
  403: { name: 'Forbidden', description: 'The roles of the caller do not allow this action.' },
  404: { name: 'NotFound', description: 'The resource does not exist, or the caller has no access to it.' },
  409: { name: 'Conflict', description: 'The request conflicts with the current state of the resource.' },
  413: { name: 'TooLarge', description: 'The request body is larger than 1 MiB.' },
  412: {
    name: 'PreconditionFailed',
    description: 'The version in If-Match is no longer the current version.',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the request body is not supported.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Rate limit exceeded. Retry after the number of seconds in `Retry-After`.',
  },
  503: {
    name: 'Unavailable',
    description: 'The service is temporarily unavailable. `message` contains the reason.',
  },
} as const;

type FailureStatus = keyof typeof failures;

const failureStatuses = (route: Route): FailureStatus[] => {
  const statuses: FailureStatus[] = [];
  const readsBody = route.bodyKind !== 'none';
  if (readsBody || route.params || route.query || route.headers) statuses.push(400);
  if (route.access !== 'public') statuses.push(401, 403);
  if (route.errorStyle === 'oauth') statuses.push(401);
  if (route.params) statuses.push(404);
  if (route.headers) statuses.push(409);
  if (route.headers && 'if-match' in route.headers.properties) statuses.push(412);
  if (readsBody) statuses.push(413, 415);
  if (route.access !== 'public' || route.errorStyle === 'oauth') statuses.push(429);
  return statuses;
};

const replyObject = ({ description, schema, contentType }: DeclaredReply, example: unknown) => {
  if (!schema) return contentType ? { description, content: { [contentType]: {} } } : { description };
  return { description, content: { [json]: { schema, ...(example === undefined ? {} : { example }) } } };
};

const responses = (route: Route) => {
  const declared = Object.entries(route.replies).filter(([status]) => Number(status) < 400);
  const failed = new Set([
    ...failureStatuses(route),
    ...Object.keys(route.replies)
      .map(Number)
      .filter((status): status is FailureStatus => status in failures),
  ]);
  return {
    ...Object.fromEntries(declared.map(([s, reply]) => [s, replyObject(reply, route.examples?.reply)])),
    ...Object.fromEntries(
      [...failed].map((s) => [s, { $ref: `#/components/responses/${failures[s].name}` }]),
    ),
  };
};

const parametersIn = (place: string, schema: Route['query']) => {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
};

const parameters = (route: Route) => [
  ...parametersIn('path', route.params),
  ...parametersIn('query', route.query),
  ...parametersIn('header', route.headers),
];

const requestBody = (route: Route) => {
  if (route.bodyKind === 'none') return {};
  const schema = route.body ?? {};
  const example = route.examples?.body === undefined ? {} : { example: route.examples.body };
  const content =
    route.bodyKind === 'fields'
      ? { [json]: { schema, ...example }, [form]: { schema } }
      : { [json]: { schema, ...example }, [yaml]: { schema } };
  return { requestBody: { required: route.bodyKind === 'document', content } };
};

const operation = (route: Route) => ({
  operationId: route.name,
  summary: route.summary,
  ...(route.description ? { description: route.description } : {}),
  tags: [route.tag],
  'x-access': route.access,
  security: route.access === 'public' ? [] : [{ bearer: [] }],
  ...(parameters(route).length > 0 ? { parameters: parameters(route) } : {}),
  ...requestBody(route),
  responses: responses(route),
});

type Collect = (node: object) => object;

const pathsOf = (routes: readonly Route[], collect: Collect) => {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: collect(operation(route)) };
  }
  return paths;
};

const errorResponses = (collect: Collect) =>
  Object.fromEntries(
    Object.values(failures).map(({ name, description }) => [
      name,
      collect({ description, content: { [json]: { schema: errorBody } } }),
    ]),
  );

/** Builds an OpenAPI 3.1 document from the route tables. */
export const openApiDocument = ({ routes, version, title = 'Almanac' }: OpenApiOptions): OpenApiDocument => {
  const { collect, schemas } = schemaCollector();
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'API for creating, describing, updating and deleting application stacks on clouds.',
    },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: pathsOf(routes, collect),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: errorResponses(collect),
      schemas,
    },
  };
};
