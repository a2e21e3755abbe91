import { CliError } from '../cli-error.ts';
import type { CredentialStore, Kept, Locker } from './store.ts';

/** A profile's name as every helper program takes it: no white space, no quotes, no slashes. */
const entryOf = (profile: string): string =>
  encodeURIComponent(profile).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const isText = (value: unknown): value is string => typeof value === 'string';

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { token, expires, url, signIn } = value as Partial<Record<keyof Kept, unknown>>;
  if (![token, expires, url].every(isText) || typeof signIn !== 'object' || signIn === null) return false;
  const { clientId, clientSecret, username, password } = signIn as Partial<Kept['signIn']>;
  const isUser = isText(username) && isText(password);
  return (
    isText(clientId) && isText(clientSecret) && (isUser || (username === undefined && password === undefined))
  );
}

/** Null also for what somebody else wrote there; it is not shown in any message. */
const parsed = (text: string | null): Kept | null => {
  try {
    const found: unknown = JSON.parse(text ?? 'null');
    return isKept(found) ? found : null;
  } catch {
    return null;
  }
};

/** A kind of store, holding what is kept of profiles: one JSON text each. */
export class ProfileStore implements CredentialStore {
  readonly #locker: Locker;

  constructor(locker: Locker) {
    this.#locker = locker;
  }

  get name(): string {
    return this.#locker.name;
  }

  async read(profile: string): Promise<Kept | null> {
    return parsed(await this.#locker.get(entryOf(profile)));
  }

  replace(profile: string, kept: Kept): Promise<void> {
    return this.#locker.put(entryOf(profile), JSON.stringify(kept));
  }

  /**
   * Some stores take what they cannot give back, or say that all went well and keep nothing: it is read again. What was
   * there before is not lost by it.
   */
  async write(profile: string, kept: Kept): Promise<void> {
    const entry = entryOf(profile);
    const before = await this.#locker.get(entry).catch(() => null);
    await this.#locker.put(entry, JSON.stringify(kept));
    try {
      await this.#mustHold(entry);
    } catch (error) {
      if (parsed(before)) await this.#locker.put(entry, before ?? '');
      else await this.#locker.remove(entry);
      throw error;
    }
  }

  async #mustHold(entry: string): Promise<void> {
    if (parsed(await this.#locker.get(entry))) return;
    throw new CliError('refused', `What was written to ${this.name} does not come back from it.`, {
      hints: ['Without it: ALM_CREDENTIAL_STORE=none'],
    });
  }

  async delete(profile: string): Promise<void> {
    await this.#locker.remove(entryOf(profile));
  }
}
