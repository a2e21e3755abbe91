import { Type } from 'typebox';
import { sandboxCredential } from './defaults.ts';
import { route } from './route.ts';
import { optionalIdentifier } from './v3/schemas/identifier.ts';

const entry = Type.Object(
  {
    id: Type.String({ description: 'Access key id of the vendor.' }),
    account: Type.String({ description: 'Display name of the account.' }),
    lastModified: Type.String({ description: 'ISO 8601 UTC timestamp with milliseconds.' }),
    authUrl: Type.Optional(
      Type.String({ description: 'OpenStack and K5: address of the cloud that the credential belongs to.' }),
    ),
  },
  { $id: 'Credential' },
);

/** Prefixes of a vendor's credential members, such as `AWS` in `AWSAccessKeyId`. The first one is the documented one. */
export const credentialPrefixes: Readonly<Record<string, readonly string[]>> = {
  aws: ['AWS'],
  alicloud: ['AliCloud'],
  openstack: ['OpenStack'],
  sbcloud: ['SBCloud'],
  k5: ['K5Cloud', 'K5'],
  docker: ['Docker'],
  // The examples of the API use AWS, so the sandbox accepts these names as well.
  sandbox: ['Sandbox', 'AWS'],
};

interface RoleFormat {
  pattern: RegExp;
  /** Completes "must be …". */
  description: string;
}

/** The role that CloudFormation uses. */
const awsRole: RoleFormat = {
  pattern: /^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
  description: 'the ARN of a role, such as arn:aws:iam::123456789012:role/almanac-cloudformation',
};

/** The RAM role that ROS uses. */
const alicloudRole: RoleFormat = {
  pattern: /^(acs:ram::\d{1,20}:role\/)?[\w.-]{1,64}$/,
  description:
    'the name of a RAM role of the same account, or its ARN, such as acs:ram::1234567890123456:role/almanac-ros',
};

/** How the role with which a vendor makes stacks is named. */
export const roleFormatOf = (vendor: string): RoleFormat =>
  vendor === 'alicloud' || vendor === 'sbcloud' ? alicloudRole : awsRole;

const shortNames = Object.values(credentialPrefixes)
  .map(([shortName]) => `\`${shortName}\``)
  .join(', ');

/** Member names depend on the vendor, and older clients send a string, so the server parses the value. */
const key = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()], {
  description:
    'An object or its JSON string with `<V>AccessKeyId`, `<V>SecretKey` and `<V>AccountName`, where `<V>` is the ' +
    `short name of the vendor: ${shortNames}. The names are also accepted without \`<V>\`. For AWS, ` +
    '`AWSRoleArn` sets the role CloudFormation uses to manage stacks; for AliCloud and SBCloud, `<V>RoleArn` the RAM role ROS ' +
    'uses, by its name or ARN. Default: the permissions of the key. ' +
    'For OpenStack and K5, `<V>AuthUrl` names the cloud: one of the addresses that the operator of the server lists in ' +
    '`ALM_OPENSTACK_AUTH_URLS` or `ALM_K5_AUTH_URLS`. Default: the only one.',
});

const vendor = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Vendor, such as `aws`. Case-insensitive.',
});
const vendorParams = Type.Object({ vendor });

const saved = Type.Object({
  status: Type.String(),
  verified: Type.Optional(
    Type.String({ description: 'Result of checking the key with the vendor, if supported.' }),
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

const reading = {
  method: 'GET',
  access: { action: 'cred:describeCredentials' },
  tag: 'Credentials',
  bodyKind: 'none',
} as const;

const list = {
  ...reading,
  summary: 'List credentials',
  description: 'Returns all credentials, grouped by vendor. Secrets are never returned.',
  replies: {
    200: {
      description: 'Map of vendor to credentials.',
      schema: Type.Record(Type.String(), Type.Array(entry)),
    },
  },
  examples: { reply: { aws: [entryExample] } },
} as const;

const listForVendor = {
  ...reading,
  summary: 'List the credentials of a vendor',
  params: vendorParams,
  replies: { 200: { description: 'The credentials.', schema: Type.Array(entry) } },
  examples: { reply: [entryExample] },
} as const;

const saving = {
  method: 'POST',
  access: { action: 'cred:createCredential' },
  description:
    'Replaces a credential with the same id. The credential is saved even if the vendor rejects it. Id ' +
    `\`${sandboxCredential}\` always uses the sandbox, regardless of the vendor.`,
  tag: 'Credentials',
  bodyKind: 'fields',
  replies: {
    200: { description: 'The credential is saved.', schema: saved },
    409: { description: 'Stacks use the credential of that id in another cloud.', schema: null },
  },
} as const;

const save = {
  ...saving,
  summary: 'Save a credential',
  body: Type.Object({ vendor, credentials: key }),
  examples: { body: { vendor: 'aws', credentials: keyExample }, reply: doneExample },
} as const;

const saveForVendor = {
  ...saving,
  summary: 'Save a credential of a vendor',
  params: vendorParams,
  body: Type.Object({ credentials: key }),
  examples: { body: { credentials: keyExample }, reply: doneExample },
} as const;

const deleting = {
  method: 'DELETE',
  access: { action: 'cred:deleteCredential' },
  description: 'Set the parameters in the body or query. Fails with 409 while a stack uses the credential.',
  tag: 'Credentials',
  bodyKind: 'fields',
  replies: {
    200: { description: 'The credential is deleted.', schema: done },
    404: { description: 'The credential does not exist.', schema: null },
    409: { description: 'A stack uses the credential.', schema: null },
  },
} as const;

const credential_id = optionalIdentifier('Required in the body or query.');
const named = Type.Object({ vendor: optionalIdentifier('Required in the body or query.'), credential_id });
const namedWithoutVendor = Type.Object({ credential_id });

const remove = {
  ...deleting,
  summary: 'Delete a credential',
  query: named,
  body: named,
  examples: { body: { vendor: 'aws', credential_id: entryExample.id }, reply: doneExample },
} as const;

const removeForVendor = {
  ...deleting,
  summary: 'Delete a credential of a vendor',
  params: vendorParams,
  query: namedWithoutVendor,
  body: namedWithoutVendor,
  examples: { body: { credential_id: entryExample.id }, reply: doneExample },
} as const;

/** Credential routes, identical in both API versions except for name and path. */
export const credentialRoutesOf = <V extends 'v2' | 'v3'>(version: V) => {
  const path = `/${version}/credentials` as const;
  const vendorPath = `/${version}/credentials/{vendor}` as const;
  return [
    route({ ...list, name: `${version}ListCredentials` as const, path }),
    route({ ...save, name: `${version}SaveCredential` as const, path }),
    route({ ...remove, name: `${version}DeleteCredential` as const, path }),
    route({ ...listForVendor, name: `${version}ListVendorCredentials` as const, path: vendorPath }),
    route({ ...saveForVendor, name: `${version}SaveVendorCredential` as const, path: vendorPath }),
    route({ ...removeForVendor, name: `${version}DeleteVendorCredential` as const, path: vendorPath }),
  ] as const;
};
