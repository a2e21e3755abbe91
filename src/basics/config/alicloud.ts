/** Settings of the vendors `alicloud` and `sbcloud`; part of the settings in `config.ts`. */
export const alicloudSettings = {
  ALM_ALICLOUD_ENDPOINT: [
    '',
    'URL in place of the addresses of all services of Alibaba Cloud, such as a stand-in for tests; default: the public ones',
  ],
  ALM_ALICLOUD_POLL_SECONDS: [
    '5',
    'poll interval of a changing stack on Alibaba Cloud or SBCloud in its first minute; later less often',
  ],
  ALM_SBCLOUD_ENDPOINT: [
    '',
    'the same as ALM_ALICLOUD_ENDPOINT for SBCloud; default: the public ones of Alibaba Cloud',
  ],
  ALM_SBCLOUD_REGIONS: [
    '',
    'regions of SBCloud, the default first, separated by commas; default: ap-northeast-1',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type AlicloudSetting = keyof typeof alicloudSettings;
type EndpointSetting = 'ALM_ALICLOUD_ENDPOINT' | 'ALM_SBCLOUD_ENDPOINT';

interface Cloud {
  /** Null: the public addresses. */
  endpoint: string | null;
  /** Empty: all that are known. */
  regions: readonly string[];
}

export interface AlicloudConfig {
  pollSeconds: number;
  clouds: Readonly<Record<'alicloud' | 'sbcloud', Cloud>>;
}

interface Readers {
  read: (name: AlicloudSetting) => string;
  number: (name: AlicloudSetting, min: number, max: number) => number;
  names: (text: string) => string[];
}

/** Requests contain passwords and tokens, which must not cross a network in clear. */
const isLocalHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Requests go to the host only, so a path would be ignored. The value may contain a password: the message does not show it. */
function parseEndpoint(setting: EndpointSetting, text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && (url.protocol === 'https:' || isLocalHttp(url))) return url.origin;
  throw new Error(
    `${setting} must be a https:// URL without user, path and query. http:// is accepted for this machine only (localhost, 127.0.0.1, [::1]).`,
  );
}

export function readAlicloud({ read, number, names }: Readers): AlicloudConfig {
  const endpoint = (setting: EndpointSetting): string | null => parseEndpoint(setting, read(setting));
  return {
    pollSeconds: number('ALM_ALICLOUD_POLL_SECONDS', 0.1, 3600),
    clouds: {
      alicloud: { endpoint: endpoint('ALM_ALICLOUD_ENDPOINT'), regions: [] },
      sbcloud: { endpoint: endpoint('ALM_SBCLOUD_ENDPOINT'), regions: names(read('ALM_SBCLOUD_REGIONS')) },
    },
  };
}
