import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { type Client, makeClient } from '../../../src/vendors/openstack/client.ts';
import type { Fetch } from '../../../src/vendors/openstack/rest/transport.ts';

export interface Asked {
  method: string;
  path: string;
  token: string;
  body: unknown;
}

type Reply = { status?: number; body?: unknown; text?: string } | Error;

/** The addresses of a cloud, with answers that a test gives. */
export class FakeCloud {
  readonly clock = new VirtualClock();
  readonly asked: Asked[] = [];
  /** How long a token is valid. */
  lifeSeconds = 3600;
  /** By service path; the first that fits counts. */
  answers: (asked: Asked) => Reply = () => ({ body: {} });
  signIn: () => Reply = () => ({});
  /** Types of service in the catalog, each at an address that ends with its type. */
  services: readonly string[] = [];
  #tokens = 0;

  readonly fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const asked = {
      method: init.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      token: headers.get('x-auth-token') ?? '',
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    this.asked.push(asked);
    const isSignIn = url.pathname === '/v3/auth/tokens';
    const reply = isSignIn ? this.signIn() : this.answers(asked);
    if (reply instanceof Error) throw reply;
    if (isSignIn && reply.status === undefined) return this.#token();
    return new Response(reply.text ?? JSON.stringify(reply.body ?? {}), { status: reply.status ?? 200 });
  };

  client(region = 'RegionOne'): Client {
    const access = {
      authUrl: 'http://cloud.example:5000',
      credentialId: 'demo@Default/demo',
      secret: new Secret('word'),
    };
    return makeClient({ access, region, clock: this.clock, countCall: () => undefined, fetch: this.fetch });
  }

  get signIns(): number {
    return this.asked.filter(({ path }) => path === '/v3/auth/tokens').length;
  }

  #token(): Response {
    this.#tokens += 1;
    const issued = Date.UTC(2026, 0, 1);
    const endpointsAt = (path: string) => [
      { interface: 'public', region_id: 'RegionOne', url: `http://cloud.example/${path}` },
    ];
    const token = {
      issued_at: new Date(issued).toISOString(),
      expires_at: new Date(issued + this.lifeSeconds * 1000).toISOString(),
      project: { id: 'p' },
      catalog: [
        { type: 'orchestration', endpoints: endpointsAt('heat') },
        ...this.services.map((type) => ({ type, endpoints: endpointsAt(type) })),
      ],
    };
    const headers = { 'x-subject-token': `token${this.#tokens}` };
    return new Response(JSON.stringify({ token }), { status: 201, headers });
  }
}
