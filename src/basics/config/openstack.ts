import { normalAuthUrl } from '../net/auth-url.ts';

/** Settings of the vendors `openstack` and `k5`; part of the settings in `config.ts`. */
export const openStackSettings = {
  ALM_OPENSTACK_AUTH_URLS: [
    '',
    'addresses of Keystone of the OpenStack clouds that credentials may belong to, separated by commas; no other address is called; a cloud with a new address: old=new; default: none',
  ],
  ALM_K5_AUTH_URLS: ['', 'the same for K5: the address of Keystone in each region'],
  ALM_OPENSTACK_POLL_SECONDS: [
    '5',
    'poll interval of a changing stack on OpenStack or K5 in its first minute; later less often',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type OpenStackSetting = keyof typeof openStackSettings;
type AddressSetting = 'ALM_OPENSTACK_AUTH_URLS' | 'ALM_K5_AUTH_URLS';

/** The addresses that may be called, and the setting with which the operator lists them. */
interface AllowedUrls {
  setting: AddressSetting;
  urls: readonly string[];
  /** Earlier addresses of these clouds, each with the one of today. */
  moved: ReadonlyMap<string, string>;
}

export interface OpenStackConfig {
  pollSeconds: number;
  authUrls: Readonly<Record<'openstack' | 'k5', AllowedUrls>>;
}

interface Readers {
  read: (name: OpenStackSetting) => string;
  number: (name: OpenStackSetting, min: number, max: number) => number;
  names: (text: string) => string[];
}

/** An entry that is not valid may contain a password, so the message shows its number only. */
function parseUrl(setting: AddressSetting, text: string, index: number): string {
  const url = normalAuthUrl(text);
  if (url !== undefined) return url;
  throw new Error(
    `${setting} must be http:// or https:// URLs without user, query and fragment, such as https://cloud.example:5000/v3. Entry ${index + 1} is not.`,
  );
}

/** `new`, or `old=new` for a cloud that has another address now. */
function parseEntry(setting: AddressSetting, text: string, index: number): { url: string; old?: string } {
  const [, old, url = text] = /^(.+?)=(https?:\/\/.*)$/i.exec(text) ?? [];
  const parsed = { url: parseUrl(setting, url.trim(), index) };
  return old === undefined ? parsed : { ...parsed, old: parseUrl(setting, old.trim(), index) };
}

/** An address that could mean two clouds would let stacks be looked for in the wrong one. */
function readAllowed(setting: AddressSetting, texts: readonly string[]): AllowedUrls {
  const entries = texts.map((text, index) => parseEntry(setting, text, index));
  const urls = [...new Set(entries.map(({ url }) => url))];
  const moved = new Map<string, string>();
  for (const { url, old } of entries) {
    if (old === undefined) continue;
    if (urls.includes(old) || (moved.get(old) ?? url) !== url)
      throw new Error(
        `${setting}: ${old} cannot be an earlier address of a cloud and the address of another. Write each earlier address once, before the address of today: old=new.`,
      );
    moved.set(old, url);
  }
  return { setting, urls, moved };
}

export function readOpenStack({ read, number, names }: Readers): OpenStackConfig {
  const allowed = (setting: AddressSetting): AllowedUrls => readAllowed(setting, names(read(setting)));
  return {
    pollSeconds: number('ALM_OPENSTACK_POLL_SECONDS', 0.1, 3600),
    authUrls: { openstack: allowed('ALM_OPENSTACK_AUTH_URLS'), k5: allowed('ALM_K5_AUTH_URLS') },
  };
}
