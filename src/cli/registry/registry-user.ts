import type { Context } from '../command.ts';
import { isSameAddress } from '../net/address.ts';
import type { SignIn } from '../net/request-token.ts';
import { askLine, askSecret } from '../prompt/prompt.ts';
import { findStore } from '../stores/find-store.ts';

interface Login {
  username: string;
  password: string;
}

interface KnownLogin extends Partial<Login> {
  /** The password is from the native store, and must be sent to the service only. */
  isForServiceOnly?: boolean;
}

/**
 * The registry user, from the flags, then the environment, then the native store. Prompts for what is missing, but only when it
 * is needed: a registry may be public.
 */
export class RegistryUser {
  readonly #context: Context;
  #known: Promise<KnownLogin> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The user name without a prompt. */
  async knownName(): Promise<string | undefined> {
    return (await this.#find()).username;
  }

  async username(): Promise<string> {
    const known = await this.#find();
    known.username ??= await askLine(this.#context.system, 'Username: ', '--username or ALM_USERNAME');
    return known.username;
  }

  /** Credentials to send to this address. */
  async login(address: URL): Promise<Login> {
    const { system, settings } = this.#context;
    const username = await this.username();
    const known = await this.#find();
    const alternative = '--password or ALM_PASSWORD';
    if (known.isForServiceOnly && address.origin !== new URL(settings.api_url).origin) {
      known.password = await askSecret(system, `Password for ${address.host}: `, alternative);
      known.isForServiceOnly = false;
    }
    known.password ??= await askSecret(system, 'Password: ', alternative);
    return { username, password: known.password };
  }

  #find(): Promise<KnownLogin> {
    this.#known ??= this.#load();
    return this.#known;
  }

  /** A password is used only for the user it belongs to. */
  async #load(): Promise<KnownLogin> {
    const { args, system } = this.#context;
    const { ALM_USERNAME, ALM_PASSWORD } = system.env;
    const login: KnownLogin = {};
    const take = (username: string | undefined, password: string | undefined): void => {
      if (username) login.username ??= username;
      if (password && (!username || username === login.username)) login.password ??= password;
    };
    take(args.text('username'), args.text('password'));
    take(ALM_USERNAME, ALM_PASSWORD);
    if (login.username !== undefined && login.password !== undefined) return login;
    const hadPassword = login.password !== undefined;
    const { username, password } = await this.#stored();
    if (username) take(username, password);
    return { ...login, isForServiceOnly: !hadPassword && login.password !== undefined };
  }

  async #stored(): Promise<Partial<SignIn>> {
    const { system, profile, settings } = this.#context;
    const store = await findStore(system);
    const kept = await store?.read(profile);
    return kept && isSameAddress(kept.url, settings.api_url) ? kept.signIn : {};
  }
}
