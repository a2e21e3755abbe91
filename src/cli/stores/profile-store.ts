import { CliError } from '../cli-error.ts';
import { withoutStoreHint } from './helper-program.ts';
import type { CredentialStore, SecretBackend, StoredLogin } from './store.ts';

/** Profile name in a form every helper program accepts: without white space, quotes or slashes. */
const entryOf = (profile: string): string =>
  encodeURIComponent(profile).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );

const isText = (value: unknown): value is string => typeof value === 'string';

function isStoredLogin(value: unknown): value is StoredLogin {
  if (typeof value !== 'object' || value === null) return false;
  const { token, expires, url, signIn } = value as Partial<Record<keyof StoredLogin, unknown>>;
  if (![token, expires, url].every(isText) || typeof signIn !== 'object' || signIn === null) return false;
  const { clientId, clientSecret, username, password } = signIn as Partial<StoredLogin['signIn']>;
  const isUser = isText(username) && isText(password);
  const isClient = isText(clientSecret) && username === undefined && password === undefined;
  return isText(clientId) && (isClient || (isUser && (isText(clientSecret) || clientSecret === undefined)));
}

/** Returns null for an entry of another program; its content is never shown. */
const parseLogin = (text: string | null): StoredLogin | null => {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isStoredLogin(value) ? value : null;
  } catch {
    return null;
  }
};

/** Stores the login of each profile as a JSON text in a backend. */
export class ProfileStore implements CredentialStore {
  readonly #backend: SecretBackend;

  constructor(backend: SecretBackend) {
    this.#backend = backend;
  }

  get name(): string {
    return this.#backend.name;
  }

  async read(profile: string): Promise<StoredLogin | null> {
    return parseLogin(await this.#backend.get(entryOf(profile)));
  }

  replace(profile: string, login: StoredLogin): Promise<void> {
    return this.#backend.put(entryOf(profile), JSON.stringify(login));
  }

  /** Writes and reads back: some stores report success and store nothing. On failure, restores the previous entry. */
  async write(profile: string, login: StoredLogin): Promise<void> {
    const entry = entryOf(profile);
    const previous = await this.#backend.get(entry).catch(() => null);
    await this.#backend.put(entry, JSON.stringify(login));
    try {
      await this.#verify(entry);
    } catch (error) {
      if (parseLogin(previous)) await this.#backend.put(entry, previous ?? '');
      else await this.#backend.remove(entry);
      throw error;
    }
  }

  async #verify(entry: string): Promise<void> {
    if (parseLogin(await this.#backend.get(entry))) return;
    throw new CliError('refused', `The login cannot be read back from ${this.name}.`, {
      hints: [withoutStoreHint],
    });
  }

  async delete(profile: string): Promise<void> {
    await this.#backend.remove(entryOf(profile));
  }
}
