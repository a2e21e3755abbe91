import type { Context } from '../command.ts';
import { isSameAddress } from '../net/address.ts';
import type { SignIn } from '../net/request-token.ts';
import { askLine, askSecret } from '../prompt/prompt.ts';
import { findStore } from '../stores/find-store.ts';

interface Login {
  username: string;
  password: string;
}

interface Known extends Partial<Login> {
  /** The password is from the native store, which keeps it for the service and for nobody else. */
  isForServiceAlone?: boolean;
}

/**
 * Who goes to the registry: what the flags say, then the environment, then the native store. What none of them knows is
 * asked for, and only once it is needed: a registry may be open to everybody.
 */
export class Visitor {
  readonly #context: Context;
  #known: Promise<Known> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Nobody is asked. */
  async knownName(): Promise<string | undefined> {
    return (await this.#find()).username;
  }

  async username(): Promise<string> {
    const known = await this.#find();
    known.username ??= await askLine(this.#context.system, 'Username: ', '--username or ALM_USERNAME');
    return known.username;
  }

  /** For this address, to which it is going to be sent. */
  async login(address: URL): Promise<Login> {
    const { system, settings } = this.#context;
    const username = await this.username();
    const known = await this.#find();
    const instead = '--password or ALM_PASSWORD';
    if (known.isForServiceAlone && address.origin !== new URL(settings.api_url).origin) {
      known.password = await askSecret(system, `Password for ${address.host}: `, instead);
      known.isForServiceAlone = false;
    }
    known.password ??= await askSecret(system, 'Password: ', instead);
    return { username, password: known.password };
  }

  #find(): Promise<Known> {
    this.#known ??= this.#look();
    return this.#known;
  }

  /** A password counts for the user it was kept with, and for no other. */
  async #look(): Promise<Known> {
    const { args, system } = this.#context;
    const { ALM_USERNAME, ALM_PASSWORD } = system.env;
    const found: Known = {};
    const take = (username: string | undefined, password: string | undefined): void => {
      if (username) found.username ??= username;
      if (password && (!username || username === found.username)) found.password ??= password;
    };
    take(args.text('username'), args.text('password'));
    take(ALM_USERNAME, ALM_PASSWORD);
    if (found.username !== undefined && found.password !== undefined) return found;
    const hadPassword = found.password !== undefined;
    const { username, password } = await this.#kept();
    if (username) take(username, password);
    return { ...found, isForServiceAlone: !hadPassword && found.password !== undefined };
  }

  async #kept(): Promise<Partial<SignIn>> {
    const { system, profile, settings } = this.#context;
    const store = await findStore(system);
    const kept = await store?.read(profile);
    return kept && isSameAddress(kept.url, settings.api_url) ? kept.signIn : {};
  }
}
