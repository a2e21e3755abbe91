import { Type } from 'typebox';
import { route } from '../../route.ts';
import { answeredCredential } from '../schemas/passkey.ts';

export const proveSession = route({
  name: 'v3ProveSession',
  method: 'POST',
  path: '/v3/session/proof',
  access: 'self',
  summary: 'Confirm with your password or a passkey',
  description:
    'For operations that give lasting access, such as creating clients and users: they answer 403 with `proof_required` if the last proof, or the ' +
    'sign-in, is older than 10 minutes. Counts for the sign-in of the request. A user without either signs in again instead.',
  tag: 'Session',
  bodyKind: 'fields',
  body: Type.Object({
    current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    otp: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'One-time code or recovery code. Required if you have a second factor; the error is then `mfa_required`.',
      }),
    ),
    passkey: Type.Optional(answeredCredential),
  }),
  replies: {
    200: {
      description: 'The user is proved.',
      schema: Type.Object(
        {
          proved_until: Type.String({ description: 'Until when it counts. RFC 3339 timestamp with offset.' }),
        },
        { $id: 'SessionProof' },
      ),
    },
  },
  examples: {
    body: { current_password: '<PASSWORD>' },
    reply: { proved_until: '2030-01-01T00:10:00+00:00' },
  },
});

export const proofRoutes = [proveSession] as const;
