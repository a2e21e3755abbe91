import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifierOrNothing } from './schemas/identifier.ts';

const entry = Type.Object(
  {
    id: Type.String({ description: "The vendor's access key id." }),
    account: Type.String({ description: 'What people call the account.' }),
    lastModified: Type.String({ description: 'ISO 8601 UTC with milliseconds.' }),
  },
  { $id: 'Credential' },
);

/** Which names its members have depends on the vendor, and older clients send it as text: the server reads it. */
const key = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()], {
  description:
    'An object, or its JSON text, with `<V>AccessKeyId`, `<V>SecretKey` and `<V>AccountName`, where `<V>` is the ' +
    "vendor's short name: `AWS`, `AliCloud`, `OpenStack`, `SBCloud`, `K5Cloud`. Without `<V>` they are understood too. " +
    'For AWS, `AWSRoleArn` may name the role CloudFormation makes stacks with; without it, it is the key itself.',
});

const vendor = Type.String({ minLength: 1, maxLength: 64, description: 'Such as `aws`, in any case.' });
const vendorParams = Type.Object({ vendor });

const saved = Type.Object({
  status: Type.String(),
  verified: Type.Optional(
    Type.String({ description: 'What the vendor says of the key, where it can be asked.' }),
  ),
});
const done = Type.Object({ status: Type.String() });

const entryExample = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  account: 'shop',
  lastModified: '2030-01-01T00:00:00.000Z',
};
const keyExample = {
  AWSAccessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  AWSSecretKey: '<SECRET_KEY>',
  AWSAccountName: 'shop',
};
const doneExample = { status: 'success' };

/** The two versions of the interface have the same, each with the vendor in the request and in the path. */

const listing = {
  method: 'GET',
  access: { action: 'cred:describeCredentials' },
  tag: 'Credentials',
  bodyKind: 'none',
} as const;

export const listed = {
  ...listing,
  summary: 'List credentials',
  description: 'By vendor. Secrets are never shown.',
  replies: {
    200: {
      description: 'From vendor to its credentials.',
      schema: Type.Record(Type.String(), Type.Array(entry)),
    },
  },
  examples: { reply: { aws: [entryExample] } },
} as const;

export const listedOfVendor = {
  ...listing,
  summary: 'List the credentials of a vendor',
  params: vendorParams,
  replies: { 200: { description: 'The credentials.', schema: Type.Array(entry) } },
  examples: { reply: [entryExample] },
} as const;

const saving = {
  method: 'POST',
  access: { action: 'cred:createCredential' },
  description:
    'Saved again under the same id, it takes the place of the one before. It is saved also when the vendor does ' +
    'not accept it. Id `SANDBOX` is served by the sandbox, whatever the vendor.',
  tag: 'Credentials',
  bodyKind: 'fields',
  replies: { 200: { description: 'It is saved.', schema: saved } },
} as const;

export const save = {
  ...saving,
  summary: 'Save a credential',
  body: Type.Object({ vendor, credentials: key }),
  examples: { body: { vendor: 'aws', credentials: keyExample }, reply: doneExample },
} as const;

export const saveForVendor = {
  ...saving,
  summary: 'Save a credential of a vendor',
  params: vendorParams,
  body: Type.Object({ credentials: key }),
  examples: { body: { credentials: keyExample }, reply: doneExample },
} as const;

const deleting = {
  method: 'DELETE',
  access: { action: 'cred:deleteCredential' },
  description: 'Named in the body or in the query. Refused with 409 while a stack uses it.',
  tag: 'Credentials',
  bodyKind: 'fields',
  replies: {
    200: { description: 'It is gone.', schema: done },
    404: { description: 'There is none.', schema: null },
    409: { description: 'A stack uses it.', schema: null },
  },
} as const;

const credential_id = identifierOrNothing('Required here or there.');
const named = Type.Object({ vendor: identifierOrNothing('Required here or there.'), credential_id });
const namedWithoutVendor = Type.Object({ credential_id });

export const remove = {
  ...deleting,
  summary: 'Delete a credential',
  query: named,
  body: named,
  examples: { body: { vendor: 'aws', credential_id: entryExample.id }, reply: doneExample },
} as const;

export const removeOfVendor = {
  ...deleting,
  summary: 'Delete a credential of a vendor',
  params: vendorParams,
  query: namedWithoutVendor,
  body: namedWithoutVendor,
  examples: { body: { credential_id: entryExample.id }, reply: doneExample },
} as const;

const all = '/v3/credentials';
const ofVendor = '/v3/credentials/{vendor}';

export const listCredentials = route({ ...listed, name: 'v3ListCredentials', path: all });
export const saveCredential = route({ ...save, name: 'v3SaveCredential', path: all });
export const deleteCredential = route({ ...remove, name: 'v3DeleteCredential', path: all });
export const listVendorCredentials = route({
  ...listedOfVendor,
  name: 'v3ListVendorCredentials',
  path: ofVendor,
});
export const saveVendorCredential = route({
  ...saveForVendor,
  name: 'v3SaveVendorCredential',
  path: ofVendor,
});
export const deleteVendorCredential = route({
  ...removeOfVendor,
  name: 'v3DeleteVendorCredential',
  path: ofVendor,
});

export const credentialRoutes = [
  listCredentials,
  saveCredential,
  deleteCredential,
  listVendorCredentials,
  saveVendorCredential,
  deleteVendorCredential,
];
