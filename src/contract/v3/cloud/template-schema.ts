import { Type } from 'typebox';
import { route } from '../../route.ts';

export const readTemplateSchema = route({
  name: 'v3ReadTemplateSchema',
  compressed: true,
  method: 'GET',
  path: '/v3/alm/template/schema',
  // Editors fetch it without a token. It is the same for everyone, and part of the public OpenAPI document.
  access: 'public',
  summary: 'Get the JSON schema of templates',
  description:
    'A self-contained JSON schema (2020-12) with descriptions, for editors. Besides the current names and types of the OpenAPI ' +
    'document it allows what the service also accepts: older names, functions, numbers as text, words in any case.',
  tag: 'Templates',
  headers: Type.Object({
    'if-none-match': Type.Optional(Type.String({ description: '`ETag` of a copy that the caller has.' })),
  }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The JSON schema.', schema: Type.Object({}) },
    304: { description: "The caller's copy is current.", schema: null },
  },
});

export const templateSchemaRoutes = [readTemplateSchema] as const;
