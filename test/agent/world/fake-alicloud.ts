import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const keys = {
  AccessKeyId: 'STS.fake',
  AccessKeySecret: 'fake-secret',
  SecurityToken: 'fake-session/+=',
  Expiration: '2026-11-16T20:00:00Z',
  Code: 'Success',
};

/** What a request must have signed, as the documentation of the signature lists it. */
const required = [
  'host',
  'x-acs-action',
  'x-acs-content-sha256',
  'x-acs-date',
  'x-acs-security-token',
  'x-acs-signature-nonce',
  'x-acs-version',
];

const hash = (content: string): string => createHash('sha256').update(content).digest('hex');

/** A fake metadata service of Alibaba Cloud, and OOS. Verifies sessions, signatures and that no nonce is used twice. */
export class FakeAlicloud {
  readonly metadata = new Map<string, string>([
    ['instance-id', 'i-fake0000000000000000'],
    ['region-id', 'cn-hangzhou'],
    ['ram/security-credentials/', 'the-role\n'],
    ['ram/security-credentials/the-role', JSON.stringify(keys)],
  ]);
  readonly secrets = new Map<string, string>();
  readonly nonces = new Set<string>();
  /** Increase to expire all sessions. */
  session = 1;
  readonly #server: Server = createServer((request, reply) => void this.#respond(request, reply));

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }

  async #respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await text(request);
    const path = request.url ?? '';
    const end = (status: number, content: string) => void reply.writeHead(status).end(content);
    if (path === '/latest/api/token') {
      const isRight = request.method === 'PUT' && request.headers['x-aliyun-ecs-metadata-token-ttl-seconds'];
      return end(isRight ? 200 : 400, `session-${this.session}`);
    }
    if (path.startsWith('/latest/meta-data/')) {
      if (request.headers['x-aliyun-ecs-metadata-token'] !== `session-${this.session}`) return end(401, '');
      const found = this.metadata.get(path.slice('/latest/meta-data/'.length));
      return end(found === undefined ? 404 : 200, found ?? '');
    }
    if (!this.#isSigned(request, body)) return end(400, '{"Code":"SignatureDoesNotMatch"}');
    return this.#readSecret(new URL(path, 'http://oos'), request, end);
  }

  #readSecret(url: URL, request: IncomingMessage, end: (status: number, content: string) => void): void {
    const { headers } = request;
    const isKnown =
      headers['x-acs-action'] === 'GetSecretParameter' && headers['x-acs-version'] === '2019-06-01';
    if (!isKnown || url.searchParams.get('RegionId') !== 'cn-hangzhou')
      return end(404, '{"Code":"InvalidAction.NotFound"}');
    const Value = this.secrets.get(url.searchParams.get('Name') ?? '');
    if (Value === undefined) return end(404, '{"Code":"EntityNotExists.Parameter"}');
    const isDecrypted = url.searchParams.get('WithDecryption') === 'true';
    end(200, JSON.stringify({ Parameter: { Name: 'x', ...(isDecrypted ? { Value } : {}) } }));
  }

  #isSigned({ method, url = '', headers }: IncomingMessage, body: string): boolean {
    const [, id, list = '', signature] =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? [];
    const nonce = String(headers['x-acs-signature-nonce']);
    const isComplete = required.every((name) => list.split(';').includes(name));
    const isFresh = !this.nonces.has(nonce);
    this.nonces.add(nonce);
    const [path = '', query = ''] = url.split('?');
    const signed = list.split(';').map((name) => `${name}:${String(headers[name])}\n`);
    const canonical = [method, path, query, signed.join(''), list, hash(body)].join('\n');
    const expected = createHmac('sha256', keys.AccessKeySecret)
      .update(`ACS3-HMAC-SHA256\n${hash(canonical)}`)
      .digest('hex');
    return (
      id === keys.AccessKeyId &&
      isComplete &&
      isFresh &&
      headers['x-acs-security-token'] === keys.SecurityToken &&
      headers['x-acs-content-sha256'] === hash(body) &&
      signature === expected
    );
  }
}
