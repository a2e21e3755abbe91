/** Settings of the container registry; part of the settings in `config.ts`. */
export const registrySettings = {
  ALM_REGISTRY_URL: ['', 'address of the container registry, http(s)://host[:port]; default: no registry'],
  ALM_REGISTRY_INTERNAL_URL: [
    '',
    'address under which this server reaches the registry; default: ALM_REGISTRY_URL',
  ],
  ALM_REGISTRY_SERVICE: [
    'almanac-registry',
    'service name of the registry: the same as auth.token.service in its configuration',
  ],
  ALM_REGISTRY_ISSUER: ['almanac', 'issuer of registry tokens: the same as auth.token.issuer'],
  ALM_REGISTRY_TOKEN_SECONDS: ['300', 'lifetime of a registry token, from 60 to 3600 seconds'],
  ALM_REGISTRY_TIMEOUT: ['10', 'time limit of one request to the registry, in seconds'],
} as const satisfies Record<string, readonly [string, string]>;

type RegistrySetting = keyof typeof registrySettings;

export interface RegistryConfig {
  /** As clients and container engines reach it; no trailing slash. Empty: there is no registry. */
  url: string;
  /** As this server reaches it. */
  internalUrl: string;
  service: string;
  issuer: string;
  tokenSeconds: number;
  timeoutMs: number;
}

interface Readers {
  read: (name: RegistrySetting) => string;
  number: (name: RegistrySetting, min: number, max: number) => number;
}

/** A registry has no path: names of images start with its host. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
};

const readUrl = (read: Readers['read'], name: RegistrySetting): string => {
  const text = read(name);
  if (text === '') return '';
  if (isOrigin(text)) return new URL(text).origin;
  throw new Error(`${name} must be http:// or https:// with a host and no path, not "${text}".`);
};

/** Both are compared with claims of tokens, and are parts of a YAML file and of HTTP headers. */
const readName = (read: Readers['read'], name: RegistrySetting): string => {
  const text = read(name);
  if (/^[A-Za-z0-9][A-Za-z0-9._:/ -]{0,127}$/.test(text)) return text;
  throw new Error(
    `${name} must be at most 128 letters, digits, spaces and . _ : / - and start with a letter or digit, not "${text}".`,
  );
};

export function readRegistry({ read, number }: Readers): RegistryConfig {
  const url = readUrl(read, 'ALM_REGISTRY_URL');
  return {
    url,
    internalUrl: readUrl(read, 'ALM_REGISTRY_INTERNAL_URL') || url,
    service: readName(read, 'ALM_REGISTRY_SERVICE'),
    issuer: readName(read, 'ALM_REGISTRY_ISSUER'),
    tokenSeconds: Math.trunc(number('ALM_REGISTRY_TOKEN_SECONDS', 60, 3600)),
    timeoutMs: number('ALM_REGISTRY_TIMEOUT', 0.1, 300) * 1000,
  };
}
