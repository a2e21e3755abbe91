import { Type } from 'typebox';
import { route } from '../../route.ts';

export const handOverSignIn = route({
  name: 'v3HandOverSignIn',
  method: 'POST',
  path: '/v3/session/code',
  access: 'self',
  proof: 'always',
  summary: 'Sign the command line in from a browser session',
  description:
    'Returns the address at which `alm login --browser` waits, with a code that it exchanges at `/v3/access_token` with ' +
    '`grant_type=authorization_code` and `client_id=alm` within 60 seconds. Only for browser sessions. Follows RFC 7636 and RFC 8252.',
  tag: 'Session',
  bodyKind: 'fields',
  body: Type.Object({
    redirect_uri: Type.String({
      maxLength: 500,
      description: '`http://127.0.0.1:<port>/…`, `http://[::1]:<port>/…`, or a page of this service.',
    }),
    state: Type.String({ maxLength: 500, description: 'Returned unchanged.' }),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'SHA-256 of `code_verifier`, in base64url without padding.',
    }),
  }),
  replies: {
    200: { description: 'Where the browser goes.', schema: Type.Object({ location: Type.String() }) },
  },
  examples: {
    body: {
      redirect_uri: 'http://127.0.0.1:43121/done',
      state: 'af0ifjsldkj',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    },
    reply: { location: 'http://127.0.0.1:43121/done?code=<CODE>&state=af0ifjsldkj' },
  },
});

export const handOverRoutes = [handOverSignIn] as const;
