import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { FakeServer } from './fake.ts';

interface Access {
  type: string;
  name: string;
  actions: string[];
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Key id of the registry protocol: base32 of the first bytes of the hash, in groups of four. */
function keyIdOf(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(der).digest().subarray(0, 30);
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = (bits.match(/.{5}/g) ?? []).map(
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)],
  );
  return (characters.join('').match(/.{4}/g) ?? []).join(':');
}

/** Token issuer that a real registry trusts. Users have full access to their own images and can read the catalog. */
export class TokenIssuer extends FakeServer {
  static readonly path = '/v3/docker/token';
  readonly name = 'issuer of the tests';
  readonly certificate: string;
  readonly users = new Map<string, string>();
  readonly #key: KeyObject;
  readonly #keyId: string;

  constructor(directory: string) {
    super();
    this.certificate = join(directory, 'issuer.crt');
    const keyFile = join(directory, 'issuer.key');
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-sha256', '-nodes', '-days', '2'];
    const files = ['-keyout', keyFile, '-out', this.certificate];
    execFileSync('openssl', ['req', '-x509', ...kind, '-subj', '/CN=issuer', ...files], { stdio: 'ignore' });
    this.#key = createPrivateKey(readFileSync(keyFile));
    this.#keyId = keyIdOf(createPublicKey(readFileSync(this.certificate)));
  }

  /** A token of the registry protocol. */
  token(user: string, service: string, scopes: readonly string[]): string {
    const now = Math.floor(Date.now() / 1000);
    const access = scopes.flatMap((scope): Access[] => {
      const [, type = '', name = '', actions = ''] = /^(\w+):(.*):([^:]*)$/.exec(scope) ?? [];
      const isAllowed = scope === 'registry:catalog:*' || name.startsWith(`${user}/`);
      return isAllowed ? [{ type, name, actions: actions.split(',') }] : [];
    });
    const times = { iat: now, nbf: now - 5, exp: now + 300, jti: randomUUID() };
    const head = base64({ typ: 'JWT', alg: 'ES256', kid: this.#keyId });
    const body = base64({ iss: this.name, sub: user, aud: service, ...times, access });
    const key = { key: this.#key, dsaEncoding: 'ieee-p1363' as const };
    return `${head}.${body}.${sign('sha256', Buffer.from(`${head}.${body}`), key).toString('base64url')}`;
  }

  protected answer(request: IncomingMessage, reply: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    if (pathname !== TokenIssuer.path) return void reply.writeHead(404).end();
    const basic = Buffer.from(
      (request.headers.authorization ?? '').replace('Basic ', ''),
      'base64',
    ).toString();
    const [user = '', password] = basic.split(':');
    if (password === undefined || this.users.get(user) !== password) return void reply.writeHead(401).end();
    const token = this.token(user, searchParams.get('service') ?? '', searchParams.getAll('scope'));
    const issued_at = new Date().toISOString();
    reply.end(JSON.stringify({ token, access_token: token, expires_in: 300, issued_at }));
  }
}
