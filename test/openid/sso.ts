import { afterAll, beforeAll } from 'vitest';
import { type Answer, type Json, ServedAlmanac } from '../api/served-almanac.ts';
import { Browser, redirectUri, startOf } from './browser.ts';
import { type Person, RealProvider } from './real-provider.ts';

/** An Almanac with a real OpenID provider. */
export class SingleSignOn {
  #parts: { almanac: ServedAlmanac; provider: RealProvider } | null = null;

  async start(settings: Readonly<Record<string, string>>): Promise<void> {
    const provider = await RealProvider.listen();
    const almanac = await ServedAlmanac.start({ environment: provider.environment(settings) });
    provider.serve(almanac.url);
    this.#parts = { almanac, provider };
  }

  async close(): Promise<void> {
    this.provider.close();
    await this.almanac.close();
  }

  get almanac(): ServedAlmanac {
    return this.#running.almanac;
  }

  get provider(): RealProvider {
    return this.#running.provider;
  }

  get #running() {
    if (this.#parts) return this.#parts;
    throw new Error('Not started; use it in tests and hooks only');
  }

  /** The person signs in in a new browser. Returns where the browser is sent at the end. */
  async visit(person: Person): Promise<{ end: URL; verifier: string }> {
    this.provider.person = person;
    const { verifier, address } = startOf(this.almanac.url);
    return { verifier, end: await new Browser().follow(address, redirectUri) };
  }

  redeem = (code: string | null, code_verifier: string, more: object = {}): Promise<Answer<Json>> =>
    this.almanac.call('POST', '/v3/access_token', {
      json: { grant_type: 'authorization_code', client_id: 'alm', code, code_verifier, ...more },
    });

  /** Returns the token, or the error that the client gets. */
  async signIn(person: Person): Promise<{ token: string; error: string }> {
    const { end, verifier } = await this.visit(person);
    const error = end.searchParams.get('error_description') ?? '';
    if (error !== '') return { token: '', error };
    const answer = await this.redeem(end.searchParams.get('code'), verifier);
    if (answer.status !== 200) throw new Error(answer.text);
    return { token: String(answer.body.access_token), error };
  }
}

export const useSingleSignOn = (settings: Readonly<Record<string, string>> = {}): SingleSignOn => {
  const sso = new SingleSignOn();
  beforeAll(() => sso.start(settings));
  afterAll(() => sso.close());
  return sso;
};
