import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, optionalIdentifier } from './schemas/identifier.ts';

/** Existing clients decode this as a map of strings; any other type breaks them. */
const keyLink = Type.Object(
  {
    status: Type.String(),
    data: Type.String({
      description: 'URL of the key. Valid for 5 reads within 5 minutes, without a token.',
    }),
  },
  { $id: 'KeyLink' },
);

/** Shared by both API versions, which differ in the stacks they cover. */
export const linkToKey = {
  asksVendor: true,
  changesOnGet: true,
  method: 'GET',
  access: { action: 'stack:describePem' },
  proof: 'browser',
  summary: 'Create a link to a private key',
  description:
    'Returns a temporary link to the private key of a layer. `flag` is required if several layers have a key pair.',
  tag: 'Keys',
  query: Type.Object({ stack_id: identifier('Stack id.'), flag: optionalIdentifier('Flag of the layer.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The link.', schema: keyLink } },
  examples: { reply: { status: 'success', data: 'https://almanac.example/v3/alm/pem/<SECRET>' } },
} as const;

export const createKeyLink = route({ ...linkToKey, name: 'v3CreateKeyLink', path: '/v3/alm/pem' });

const readKey = route({
  name: 'v3ReadKey',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/pem/{secret}',
  access: 'public',
  summary: 'Get a private key by link',
  description:
    'The link grants access without a token. Fails with 404 if the link is invalid, expired, or was read too often.',
  tag: 'Keys',
  params: Type.Object({ secret: Type.String({ maxLength: 128 }) }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The private key in PEM format.', schema: null, contentType: 'text/plain' },
    403: { description: 'The account of the stack is suspended.', schema: null },
  },
});

export const keyRoutes = [createKeyLink, readKey] as const;
