import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { Type } from 'typebox';
import { onTestFinished } from 'vitest';
import { Failure } from '../../src/basics/failure.ts';
import { createLog } from '../../src/basics/log.ts';
import { route } from '../../src/contract/route.ts';
import { issueToken } from '../../src/contract/v3/sign-in/access.ts';
import { applyTemplate } from '../../src/contract/v3/templates.ts';
import { type Binding, bindFor, noBody } from '../../src/server/http/binding.ts';
import { buildServer, type ServerOptions } from '../../src/server/server.ts';

export interface Actor {
  id: string;
  allowed: boolean;
}

export const bind = bindFor<Actor>();

const echoed = { 200: { description: 'The input.', schema: Type.Unknown() } };
const part = {
  tag: 'Test',
  summary: 'For tests',
  access: 'public',
  bodyKind: 'none',
  replies: echoed,
} as const;

export const echo = route({
  ...part,
  name: 'echo',
  method: 'POST',
  path: '/v3/echo',
  bodyKind: 'fields',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })) }),
  body: Type.Object({
    name: Type.String({ minLength: 1 }),
    count: Type.Optional(Type.Integer()),
    on: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    kind: Type.Optional(Type.Enum(['red', 'green'])),
  }),
});
export const item = route({
  ...part,
  name: 'item',
  method: 'GET',
  path: '/v3/item/{item_id}',
  access: { action: 'stack:describeStack' },
  params: Type.Object({ item_id: Type.String() }),
  query: Type.Object({ stack_id: Type.Optional(Type.String()) }),
});
export const removeItem = route({
  ...item,
  name: 'removeItem',
  method: 'DELETE',
  bodyKind: 'fields',
  body: Type.Object({ username: Type.Optional(Type.String()), stack_id: Type.Optional(Type.String()) }),
});
export const broken = route({ ...part, name: 'broken', method: 'GET', path: '/v3/broken' });
export const silent = route({
  ...part,
  name: 'silent',
  method: 'POST',
  path: '/v3/silent',
  replies: { 202: { description: 'Accepted.', schema: null } },
});

export const stubs: Binding<Actor>[] = [
  bind(echo, ({ body, query }) => ({ body, query })),
  bind(item, ({ actor, params }) => ({ actor: actor.id, ...params })),
  bind(removeItem, ({ params, body }) => ({ ...params, ...body })),
  bind(silent, () => noBody),
  bind(broken, () => {
    throw new Error('the database at postgres://almanac:dbpassword@db is gone, Bearer leaked-token-1');
  }),
  bind(applyTemplate, ({ body, headers, query }) => ({
    status: JSON.stringify({ headers, query }),
    stack_status: 'CREATE_IN_PROGRESS' as const,
    stack_id: body.format,
    version_id: body.text,
  })),
  bind(issueToken, ({ body, basic }) => {
    if (body.grant_type === 'client_credentials') {
      const secret = basic?.password ?? body.client_secret;
      if (secret !== 'right') throw new Failure('invalid_client', 'Unknown client');
      return { token_type: 'Bearer' as const, expires_in: 43200, access_token: basic?.user ?? 'issued' };
    }
    throw new Failure('unsupported_grant_type', 'This grant is not supported');
  }),
];

export interface Served {
  url: string;
  port: number;
  /** The whole log so far. */
  log: () => string;
  logLines: () => Record<string, unknown>[];
  close: () => Promise<void>;
  /** Resolves when closing starts. */
  stopping: Promise<void>;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Serves stub routes on a free port until the end of the test. */
export const serveStubs = async (overrides: Partial<ServerOptions<Actor>> = {}): Promise<Served> => {
  const chunks: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const app = buildServer<Actor>({
    bindings: stubs,
    authenticate: async (token) =>
      token.startsWith('good') ? { id: 'user-1', allowed: token !== 'good-but-denied' } : null,
    authorize: (actor) => {
      if (!actor.allowed) throw new Failure('forbidden', 'RBAC response is limited.');
    },
    nameActor: (actor) => actor.id,
    logger: createLog({ level: 'trace', destination }),
    version: '1.2.3',
    readiness: async () => null,
    ...overrides,
  });
  const stopping = new Promise<void>((resolve) => app.addHook('preClose', async () => resolve()));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  let closed: Promise<undefined> | undefined;
  const close = () => (closed ??= app.close());
  onTestFinished(close);
  return {
    url,
    port: Number(new URL(url).port),
    log: () => chunks.join(''),
    logLines: () =>
      chunks
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line): Record<string, unknown> => JSON.parse(line)),
    close,
    stopping,
    fetch: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
  };
};

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface Sent extends RequestInit {
  headers: Record<string, string>;
}

export const post = (body: string, contentType?: string): Sent => ({
  method: 'POST',
  // Bytes rather than a string: fetch adds a Content-Type to strings.
  body: new TextEncoder().encode(body),
  headers: contentType ? { 'content-type': contentType } : {},
});

export const jsonOf = async (response: Response): Promise<Record<string, unknown>> =>
  JSON.parse(await response.text());

const doNothing = (): void => {};

/** A TCP connection, for requests that fetch cannot send. */
export const openSocket = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let ended = false;
  let wake = doNothing;
  socket.on('data', (chunk) => {
    received += String(chunk);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const until = async (met: () => boolean) => {
    while (!met()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    send: (text: string) => void socket.write(text),
    untilReceived: async (text: string) => {
      await until(() => ended || received.includes(text));
      return received;
    },
    untilClosed: async () => {
      await until(() => ended);
      return received;
    },
    end: () => socket.destroy(),
  };
};
