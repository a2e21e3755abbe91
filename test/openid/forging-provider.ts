import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client } from './client.ts';

export type Claims = Record<string, unknown>;

/** How to deviate from an honest provider. */
export interface Forgery {
  claims?: (honest: Claims) => Claims;
  header?: Claims;
  /** `other`: a key that the provider does not publish. */
  signWith?: 'published' | 'other' | 'client secret' | 'nothing';
  status?: Partial<Record<string, number>>;
  /** Bytes that a reply of the path has in addition. */
  padding?: Partial<Record<string, number>>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A provider that can lie: its ID tokens are what a test wants. */
export class ForgingProvider {
  readonly #server: Server;
  readonly issuer: string;
  #key = newKey();
  #keyId = 'first';
  #nonce = '';
  forgery: Forgery = {};

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.#answer(request, response));
  }

  static async listen(): Promise<ForgingProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ForgingProvider(server);
  }

  environment(): Record<string, string> {
    return {
      ALM_OIDC_ISSUER: this.issuer,
      ALM_OIDC_CLIENT_ID: client.client_id,
      ALM_OIDC_CLIENT_SECRET: client.client_secret,
    };
  }

  rotateKey(): void {
    this.#key = newKey();
    this.#keyId = `${this.#keyId}+`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.issuer);
    const status = this.forgery.status?.[url.pathname] ?? 200;
    if (url.pathname === '/authorize') return this.#authorize(url, response);
    const body = {
      '/.well-known/openid-configuration': this.#metadata,
      '/keys': this.#keys,
      '/token': this.#tokens,
    };
    const make = Object.entries(body).find(([path]) => path === url.pathname)?.[1];
    response.writeHead(make ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(make?.() ?? {}) + ' '.repeat(this.forgery.padding?.[url.pathname] ?? 0));
  }

  #authorize(url: URL, response: ServerResponse): void {
    this.#nonce = url.searchParams.get('nonce') ?? '';
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'code of the provider');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  readonly #metadata = () => ({
    issuer: this.issuer,
    authorization_endpoint: `${this.issuer}/authorize`,
    token_endpoint: `${this.issuer}/token`,
    jwks_uri: `${this.issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

  readonly #keys = () => ({
    keys: [{ ...this.#key.publicKey.export({ format: 'jwk' }), kid: this.#keyId, alg: 'RS256', use: 'sig' }],
  });

  readonly #tokens = () => ({
    access_token: 'x',
    token_type: 'Bearer',
    expires_in: 60,
    id_token: this.#idToken(),
  });

  #idToken(): string {
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      iss: this.issuer,
      sub: 'person-1',
      aud: client.client_id,
      iat: now,
      exp: now + 60,
      nonce: this.#nonce,
      preferred_username: 'ann',
    };
    const { claims = (same: Claims) => same, header = {}, signWith = 'published' } = this.forgery;
    const content = `${encode({ alg: 'RS256', kid: this.#keyId, ...header })}.${encode(claims(honest))}`;
    return `${content}.${this.#signature(content, signWith)}`;
  }

  #signature(content: string, signWith: NonNullable<Forgery['signWith']>): string {
    if (signWith === 'nothing') return '';
    if (signWith === 'client secret')
      return createHmac('sha256', client.client_secret).update(content).digest('base64url');
    const key: KeyObject = signWith === 'other' ? newKey().privateKey : this.#key.privateKey;
    return sign('sha256', Buffer.from(content), key).toString('base64url');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
