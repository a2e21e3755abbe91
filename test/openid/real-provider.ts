import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { client } from './client.ts';

export interface Person {
  sub: string;
  preferred_username?: string;
  groups?: unknown;
}

/** A certified OpenID provider on this machine. It signs `person` in without asking. */
export class RealProvider {
  readonly #server: Server;
  readonly issuer: string;
  #handle: ReturnType<Provider['callback']> | null = null;
  person: Person = { sub: 'nobody' };

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async listen(): Promise<RealProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RealProvider(server);
  }

  /** Settings of an Almanac that uses this provider. */
  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      ALM_OIDC_ISSUER: this.issuer,
      ALM_OIDC_CLIENT_ID: client.client_id,
      ALM_OIDC_CLIENT_SECRET: client.client_secret,
      ALM_OIDC_SCOPE: 'openid profile groups',
      ...more,
    };
  }

  /** Starts to serve an Almanac, whose address is known only when it runs. */
  serve(almanacUrl: string): void {
    const provider = this.#configure(`${almanacUrl}/v3/sign_in/oidc/callback`);
    this.#handle = provider.callback();
    this.#server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void this.#handle?.(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: this.person.sub } });
    });
  }

  #configure(redirectUri: string): Provider {
    return new Provider(this.issuer, {
      clients: [{ ...client, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
      scopes: ['openid', 'profile', 'groups'],
      cookies: { keys: ['cookie key of the test'] },
      features: { devInteractions: { enabled: false } },
      // Without these, the package prints notices.
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => Promise.resolve({ ...this.person, sub }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId,
          accountId: oidc.session?.accountId,
        });
        grant.addOIDCScope('openid profile groups');
        await grant.save();
        return grant;
      },
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
