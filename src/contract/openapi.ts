import { errorBody } from './error-body.ts';
import { schemaCollector } from './openapi-schemas.ts';
import type { DeclaredReply, Route } from './route.ts';
import { allowedMethods, failureStatuses, failuresOf } from './statuses.ts';

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

const replyObject = ({ description, schema, contentType }: DeclaredReply, example: unknown) => {
  const types = [contentType ?? []].flat();
  if (!schema && types.length === 0) return { description };
  if (!schema) return { description, content: Object.fromEntries(types.map((type) => [type, {}])) };
  const empty = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', maxLength: 0 } }]));
  return {
    description,
    content: { [json]: { schema, ...(example === undefined ? {} : { example }) }, ...empty },
  };
};

const responses = (route: Route) => {
  const declared = Object.entries(route.replies).filter(([status]) => Number(status) < 400);
  return {
    ...Object.fromEntries(declared.map(([s, reply]) => [s, replyObject(reply, route.examples?.reply)])),
    ...Object.fromEntries(
      failuresOf(route).map((s) => [s, { $ref: `#/components/responses/${failureStatuses[s].name}` }]),
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
    const atPath = routes.filter(({ path }) => path === route.path);
    paths[route.path] = {
      ...paths[route.path],
      'x-allow': allowedMethods(atPath),
      [route.method.toLowerCase()]: collect(operation(route)),
    };
  }
  return paths;
};

const errorResponses = (collect: Collect) =>
  Object.fromEntries(
    Object.values(failureStatuses).map(({ name, description }) => [
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
