import type { Fetch } from '../../../src/vendors/openstack/rest/transport.ts';

/** Stands between Almanac and the cloud, and spoils what a test asks for. */
export class Faults {
  /** How many answers to creations are lost after the cloud did its work. */
  lostCreations = 0;
  /** How many requests arrive with a token that the cloud does not know. */
  wrongTokens = 0;
  readonly requests: string[] = [];

  readonly fetch: Fetch = async (url, init) => {
    const method = init.method ?? 'GET';
    this.requests.push(`${method} ${new URL(url).pathname.replace(/^\/v\d+\/[0-9a-f]{32}/, '')}`);
    const isCreation = method === 'POST' && url.endsWith('/stacks');
    const response = await fetch(url, this.#spoiled(url, init));
    if (isCreation && this.lostCreations > 0) {
      this.lostCreations -= 1;
      throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    }
    return response;
  };

  #spoiled(url: string, init: RequestInit): RequestInit {
    if (this.wrongTokens === 0 || url.endsWith('/auth/tokens')) return init;
    this.wrongTokens -= 1;
    const headers = new Headers(init.headers);
    headers.set('x-auth-token', 'unknown');
    return { ...init, headers };
  }
}
