import { route } from './route.ts';
import { tokenEndpoint, tokenExample } from './token-schema.ts';
import { agentRoutes } from './v2/agents.ts';
import { configurationSchemaRoutes } from './v2/configuration-schema.ts';
import { credentialRoutes } from './v2/credentials.ts';
import { instanceRoutes } from './v2/instances.ts';
import { keyRoutes } from './v2/keys.ts';
import { registryImageRoutes } from './v2/registry-images.ts';
import { registryTokenRoutes } from './v2/registry-token.ts';
import { serverConfigRoutes } from './v2/server-config.ts';
import { stackRoutes } from './v2/stacks.ts';
import { userRoutes } from './v2/users.ts';

const issueToken = route({
  ...tokenEndpoint,
  name: 'v2IssueToken',
  path: '/v2/access_token',
  description: 'The grant type is always `client_credentials`. The token is also valid on `/v3` routes.',
  examples: {
    body: {
      grant_type: 'client_credentials',
      client_id: '<CLIENT_ID>',
      client_secret: '<CLIENT_SECRET>',
    },
    reply: tokenExample,
  },
});

export const v2Routes = [
  issueToken,
  ...stackRoutes,
  ...configurationSchemaRoutes,
  ...serverConfigRoutes,
  ...instanceRoutes,
  ...credentialRoutes,
  ...keyRoutes,
  ...agentRoutes,
  ...registryTokenRoutes,
  ...registryImageRoutes,
  ...userRoutes,
] as const;
