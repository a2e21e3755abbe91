import type { ServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from '../session/session-browser.ts';
import { Device, type Doing, type Options } from './device.ts';

/** Browsers use passkeys on localhost, and not at an IP address. */
export function useHostName(almanac: ServedAlmanac): string {
  const origin = almanac.url.replace('127.0.0.1', 'localhost');
  almanac.service.settings.baseUrl = origin;
  return origin;
}

export type Proof = Parameters<SessionBrowser['signIn']>[0];

/** Calls the routes of passkeys as the console does. */
export class PasskeyCaller {
  readonly #almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.#almanac = almanac;
  }

  device = (): Device => new Device(this.#almanac.service.settings.baseUrl);

  async signedIn(proof: Proof = {}): Promise<SessionBrowser> {
    const browser = new SessionBrowser(this.#almanac);
    const { status, text } = await browser.signIn(proof);
    if (status !== 204) throw new Error(`Nobody was signed in: ${text}`);
    return browser;
  }

  #options = async (browser: SessionBrowser, path: string): Promise<Options> =>
    (await browser.send('POST', path)).body.options as Options;

  registrationOptions = (browser: SessionBrowser) => this.#options(browser, '/v3/passkey/options');
  proofOptions = (browser: SessionBrowser) => this.#options(browser, '/v3/session/proof/passkey');
  signInOptions = () => this.#options(new SessionBrowser(this.#almanac), '/v3/session/passkey');

  async add(browser: SessionBrowser, device: Device, doing: Doing = {}) {
    const credential = device.register(await this.registrationOptions(browser), doing);
    return browser.send('POST', '/v3/passkey', { json: { name: 'laptop', credential } });
  }

  /** A new device that is a passkey of the user of the session. */
  async added(browser: SessionBrowser): Promise<Device> {
    const device = this.device();
    const { status, text } = await this.add(browser, device);
    if (status !== 200) throw new Error(`The passkey was not added: ${text}`);
    return device;
  }

  send = (passkey: object, browser = new SessionBrowser(this.#almanac)) =>
    browser.send('POST', '/v3/session', { json: { passkey } });

  /** Signs a new browser in, or tries to. */
  signIn = async (device: Device, doing: Doing = {}, browser?: SessionBrowser) =>
    this.send(device.answer(await this.signInOptions(), doing), browser);

  prove = async (browser: SessionBrowser, device: Device, doing: Doing = {}) =>
    browser.send('POST', '/v3/session/proof', {
      json: { passkey: device.answer(await this.proofOptions(browser), doing) },
    });
}
