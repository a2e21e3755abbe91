import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { operationalRoutes } from '../../src/contract/operational.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';

const routes = [...v2Routes, ...v3Routes, ...operationalRoutes];
const document = openApiDocument({ routes, version: '1.0.0' });
/** The document as clients receive it. */
const wire: { paths: Record<string, Record<string, Operation>> } = JSON.parse(JSON.stringify(document));

interface Operation {
  operationId: string;
  'x-access': unknown;
  security: unknown[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { $ref?: string }>;
}

const operationOf = (path: string, method: string) => wire.paths[path]?.[method];

const everyReference = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' ? [String(value)] : everyReference(value),
  );
};

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, part) => new Map(Object.entries(node ?? {})).get(part), document);

test('the OpenAPI document is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test('the OpenAPI document contains every route with its access', () => {
  for (const route of routes) {
    const operation = operationOf(route.path, route.method.toLowerCase());
    expect(operation?.operationId).toBe(route.name);
    expect(operation?.['x-access']).toEqual(route.access);
    expect(operation?.security).toEqual(route.access === 'public' ? [] : [{ bearer: [] }]);
  }
});

test('every reference in the OpenAPI document resolves, and every named schema is used', () => {
  const references = new Set(everyReference(document));
  expect(references.size).toBeGreaterThan(5);
  for (const reference of references) expect(resolve(reference), reference).toBeTruthy();
  for (const name of Object.keys(document.components.schemas))
    expect(references).toContain(`#/components/schemas/${name}`);
});

test('path parameters in the OpenAPI document are required and match the path', () => {
  for (const [path, operations] of Object.entries(wire.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const [method, operation] of Object.entries(operations)) {
      if (method === 'x-allow') continue;
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  }
});

describe('an operation in the OpenAPI document', () => {
  test('an operation references its possible error responses', () => {
    expect(operationOf('/v3/alm/template/{stack_id}', 'put')?.responses).toMatchObject({
      202: { description: 'Stack update started.' },
      400: { $ref: '#/components/responses/BadRequest' },
      401: { $ref: '#/components/responses/Unauthorized' },
      403: { $ref: '#/components/responses/Forbidden' },
      404: { $ref: '#/components/responses/NotFound' },
      413: { $ref: '#/components/responses/TooLarge' },
    });
    expect(Object.keys(operationOf('/healthz', 'get')?.responses ?? {})).toEqual([
      '200',
      '400',
      '405',
      '431',
    ]);
  });

  test('a path lists the methods that Allow lists', () => {
    expect(wire.paths['/v3/alm/stack/{stack_id}']?.['x-allow']).toEqual(['GET', 'DELETE', 'HEAD', 'OPTIONS']);
  });

  test('an operation lists the content types of its request body', () => {
    const content = (path: string) => Object.keys(operationOf(path, 'post')?.requestBody?.content ?? {});
    expect(content('/v3/access_token')).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    expect(content('/v3/alm/template')).toEqual(['application/json', 'application/x-yaml']);
  });
});
