import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier, optionalIdentifier } from '../schemas/identifier.ts';
import {
  creationOptions,
  newCredential,
  newCredentialExample,
  requestOptions,
  requestOptionsExample,
} from '../schemas/passkey.ts';

const tag = 'Session';
const passkey_id = Type.String({ description: 'Identifier of the passkey.' });
const params = Type.Object({ passkey_id: identifier('Passkey id from the list.') });
const name = identifier('What you call it, such as the device it is on.');
const example = '4hT0aZp3Qx9b';
const changed = (description: string) => ({
  200: { description, schema: Type.Object({ status: Type.String(), passkey_id }) },
  404: { description: 'The passkey does not exist.', schema: null },
});
const changedExample = { reply: { status: 'success', passkey_id: example } };

const passkey = Type.Object(
  {
    passkey_id,
    name: Type.String(),
    create_time: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    last_used: Type.String({ description: 'RFC 3339 timestamp with offset. Empty if never used.' }),
  },
  { $id: 'Passkey' },
);

export const beginPasskey = route({
  name: 'v3BeginPasskey',
  method: 'POST',
  path: '/v3/passkey/options',
  access: 'self',
  proof: 'always',
  summary: 'Begin to add a passkey',
  description:
    'Only a browser can answer, on a page of this service: the key belongs to the host name of its URL.',
  tag,
  bodyKind: 'none',
  replies: creationOptions,
  examples: {
    reply: {
      options: {
        challenge: 'djEuMDEyMzQ1Njc',
        rp: { name: 'Almanac', id: 'almanac.example.com' },
        user: { id: 'NWYyYjljMDFkN2U0YQ', name: 'ann', displayName: '' },
      },
    },
  },
});

export const addPasskey = route({
  name: 'v3AddPasskey',
  method: 'POST',
  path: '/v3/passkey',
  access: 'self',
  proof: 'always',
  summary: 'Add a passkey',
  description: 'You can then sign in with it instead of your password and the code of a second factor.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({ name, credential: newCredential }),
  replies: {
    200: {
      description: 'The passkey is added.',
      schema: Type.Object({ status: Type.String(), passkey_id }),
    },
    409: { description: 'The passkey belongs to a user already, or you cannot have more.', schema: null },
  },
  examples: { body: { name: 'laptop', credential: newCredentialExample }, ...changedExample },
});

export const listPasskeys = route({
  name: 'v3ListPasskeys',
  method: 'GET',
  path: '/v3/passkey',
  access: 'self',
  summary: 'List passkeys',
  description: 'Yours, newest first. With `username`, the master gets those of another user.',
  tag,
  query: Type.Object({ username: optionalIdentifier('User whose passkeys to list. Default: you.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The passkeys.', schema: Type.Array(passkey) } },
  examples: {
    reply: [{ passkey_id: example, name: 'laptop', create_time: '2030-01-01T00:00:00+00:00', last_used: '' }],
  },
});

export const renamePasskey = route({
  name: 'v3RenamePasskey',
  method: 'PUT',
  path: '/v3/passkey/{passkey_id}',
  access: 'self',
  proof: 'always',
  summary: 'Rename a passkey',
  tag,
  params,
  bodyKind: 'fields',
  body: Type.Object({ name }),
  replies: changed('The passkey is renamed.'),
  examples: { body: { name: 'old laptop' }, ...changedExample },
});

export const deletePasskey = route({
  name: 'v3DeletePasskey',
  method: 'DELETE',
  path: '/v3/passkey/{passkey_id}',
  access: 'self',
  proof: 'always',
  summary: 'Delete a passkey',
  description:
    'Nobody can sign in with it any more. Sign-ins that were made with it stay. The master can delete the passkeys of every user of the account.',
  tag,
  params,
  bodyKind: 'none',
  replies: changed('The passkey is deleted.'),
  examples: changedExample,
});

const beginPasskeySignIn = route({
  name: 'v3BeginPasskeySignIn',
  method: 'POST',
  path: '/v3/session/passkey',
  access: 'public',
  summary: 'Begin to sign in with a passkey',
  description: 'Send the answer of the browser to `POST /v3/session`.',
  tag,
  bodyKind: 'none',
  replies: requestOptions,
  examples: { reply: requestOptionsExample },
});

export const beginPasskeyProof = route({
  name: 'v3BeginPasskeyProof',
  method: 'POST',
  path: '/v3/session/proof/passkey',
  access: 'self',
  summary: 'Begin to confirm with a passkey',
  description: 'Send the answer of the browser to `POST /v3/session/proof`.',
  tag,
  bodyKind: 'none',
  replies: requestOptions,
  examples: { reply: requestOptionsExample },
});

export const passkeyRoutes = [
  beginPasskey,
  addPasskey,
  listPasskeys,
  renamePasskey,
  deletePasskey,
  beginPasskeySignIn,
  beginPasskeyProof,
] as const;
