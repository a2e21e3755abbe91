import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, identifierOrNothing } from './schemas/identifier.ts';

/** Existing clients decode this as a map of texts; anything but text in it breaks them. */
const keyLink = Type.Object(
  {
    status: Type.String(),
    data: Type.String({
      description: 'Where the key can be read: 5 times within 5 minutes, without a token.',
    }),
  },
  { $id: 'KeyLink' },
);

/** The two versions of the interface differ in their stacks only. */
export const linkToKey = {
  method: 'GET',
  access: { action: 'stack:describePem' },
  summary: "Get a link to a layer's private key",
  description: 'Without `flag`, the only layer that has a key pair.',
  tag: 'Keys',
  query: Type.Object({ stack_id: identifier('The stack.'), flag: identifierOrNothing('The layer.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The link.', schema: keyLink } },
  examples: { reply: { status: 'success', data: 'https://almanac.example/v3/alm/pem/<SECRET>' } },
} as const;

export const createKeyLink = route({ ...linkToKey, name: 'v3CreateKeyLink', path: '/v3/alm/pem' });

export const readKey = route({
  name: 'v3ReadKey',
  method: 'GET',
  path: '/v3/alm/pem/{secret}',
  access: 'public',
  summary: 'Read a private key by its link',
  description: 'Whoever has the link can read the key: 404 once it has expired or was read often enough.',
  tag: 'Keys',
  params: Type.Object({ secret: Type.String({ maxLength: 128 }) }),
  bodyKind: 'none',
  replies: { 200: { description: 'The key, as PEM text.', schema: null, contentType: 'text/plain' } },
});

export const keyRoutes = [createKeyLink, readKey];
