import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier } from '../schemas/identifier.ts';

const tag = 'Access';
const done = Type.Object({ status: Type.String() });
const doneExample = { status: 'success' };

const currentPassword = Type.Optional(
  Type.String({ maxLength: 1024, description: 'Your password. Required.' }),
);
/** Also a member of other routes that require a proof. */
export const otp = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'One-time code of your authenticator app, or a recovery code. Required if your second factor is enabled.',
  }),
);

export const describeSecondFactor = route({
  name: 'v3DescribeSecondFactor',
  method: 'GET',
  path: '/v3/second_factor',
  access: 'self',
  summary: 'Describe your second factor',
  tag,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The second factor.',
      schema: Type.Object({
        enabled: Type.Boolean(),
        enabled_time: Type.String({ description: 'RFC 3339 timestamp with offset. Empty if not enabled.' }),
        recovery_codes_left: Type.Integer(),
      }),
    },
  },
  examples: { reply: { enabled: true, enabled_time: '2030-01-01T00:00:00+00:00', recovery_codes_left: 10 } },
});

export const enrolSecondFactor = route({
  name: 'v3EnrolSecondFactor',
  method: 'POST',
  path: '/v3/second_factor',
  access: 'self',
  summary: 'Begin to enable a second factor',
  description:
    'Returns a secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). Sign-ins do not change until the first ' +
    'code is confirmed.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({ current_password: currentPassword, otp }),
  replies: {
    200: {
      description: 'The secret, only this once.',
      schema: Type.Object({
        secret: Type.String({ description: 'In base 32, to type into an app.' }),
        uri: Type.String({ description: '`otpauth://` URI, to open on a phone or to show as a QR code.' }),
      }),
    },
    409: { description: 'The second factor is already enabled.', schema: null },
  },
  examples: {
    body: { current_password: '<PASSWORD>' },
    reply: { secret: '<SECRET>', uri: 'otpauth://totp/Almanac:ann?secret=<SECRET>&issuer=Almanac' },
  },
});

export const confirmSecondFactor = route({
  name: 'v3ConfirmSecondFactor',
  method: 'POST',
  path: '/v3/second_factor/confirm',
  access: 'self',
  summary: 'Enable the second factor with a first code',
  description: 'Within 15 minutes. Wrong codes are throttled.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    otp: Type.String({ minLength: 1, maxLength: 64, description: 'The code that the app shows.' }),
  }),
  replies: {
    200: {
      description: 'The second factor is enabled. Each recovery code replaces a one-time code once.',
      schema: Type.Object({ status: Type.String(), recovery_codes: Type.Array(Type.String()) }),
    },
    409: { description: 'There is nothing to confirm.', schema: null },
  },
  examples: {
    body: { otp: '123456' },
    reply: { status: 'success', recovery_codes: ['<RECOVERY_CODE>'] },
  },
});

export const disableSecondFactor = route({
  name: 'v3DisableSecondFactor',
  method: 'POST',
  path: '/v3/second_factor/disable',
  access: 'self',
  summary: 'Disable your second factor',
  tag,
  bodyKind: 'fields',
  body: Type.Object({ current_password: currentPassword, otp }),
  replies: {
    200: { description: 'The second factor is disabled.', schema: done },
    409: { description: 'The second factor is not enabled.', schema: null },
  },
  examples: { body: { current_password: '<PASSWORD>', otp: '123456' }, reply: doneExample },
});

export const resetSecondFactor = route({
  name: 'v3ResetSecondFactor',
  method: 'DELETE',
  path: '/v3/user/{username}/second_factor',
  access: 'master',
  proof: 'always',
  summary: "Remove a user's second factor",
  description:
    'For a user who lost the device and the recovery codes. The user then signs in with the password alone.',
  tag,
  params: Type.Object({ username: identifier('User name.') }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The second factor is removed.', schema: done },
    404: { description: 'The user does not exist, or has no second factor.', schema: null },
    409: { description: 'The user is yourself.', schema: null },
  },
  examples: { reply: doneExample },
});

export const secondFactorRoutes = [
  describeSecondFactor,
  enrolSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  resetSecondFactor,
] as const;
