import { type Route, route } from './route.ts';
import { accessToken, tokenExample, tokenRequest } from './token-schema.ts';
import { agentRoutes } from './v2/agents.ts';
import { credentialRoutes } from './v2/credentials.ts';
import { instanceRoutes } from './v2/instances.ts';
import { keyRoutes } from './v2/keys.ts';
import { serverConfigRoutes } from './v2/server-config.ts';
import { stackRoutes } from './v2/stacks.ts';

export const issueToken = route({
  name: 'v2IssueToken',
  method: 'POST',
  path: '/v2/access_token',
  access: 'public',
  summary: 'Get an access token',
  description: 'The grant is always `client_credentials`. The token is also valid on `/v3`.',
  tag: 'Access',
  bodyKind: 'fields',
  body: tokenRequest,
  errorStyle: 'oauth',
  replies: { 200: { description: 'The token.', schema: accessToken } },
  examples: {
    body: {
      grant_type: 'client_credentials',
      client_id: '<CLIENT_ID>',
      client_secret: '<CLIENT_SECRET>',
    },
    reply: tokenExample,
  },
});

export const v2Routes: readonly Route[] = [
  issueToken,
  ...stackRoutes,
  ...serverConfigRoutes,
  ...instanceRoutes,
  ...credentialRoutes,
  ...keyRoutes,
  ...agentRoutes,
];
