import { createHash, randomBytes } from 'node:crypto';

/** A browser that follows redirects and keeps cookies by host. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  #jarOf({ host }: URL): Map<string, string> {
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }

  async get(address: string | URL): Promise<Response> {
    const url = new URL(address);
    const jar = this.#jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows redirects until one leads to an address that starts with `end`, and returns that address unvisited. */
  async follow(address: string, end: string): Promise<URL> {
    let next = new URL(address);
    for (let hop = 0; hop < 10; hop += 1) {
      const response = await this.get(next);
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`${next.href} returned ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
      if (next.href.startsWith(end)) return next;
    }
    throw new Error(`Too many redirects at ${next.href}`);
  }

  cookiesOf(address: string): string[] {
    return [...this.#jarOf(new URL(address)).keys()];
  }
}

export const redirectUri = 'http://127.0.0.1:7/done';

/** A verifier and the start address of a sign-in. */
export function startOf(url: string, changes: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'alm',
    redirect_uri: redirectUri,
    state: 'state of the client',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return { verifier, address: `${url}/v3/sign_in/oidc?${query.toString()}` };
}
