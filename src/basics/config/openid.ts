import { Secret } from '../secret.ts';

/** Settings of sign-in with an OpenID provider; part of the settings in `config.ts`. */
export const openIdSettings = {
  ALM_OIDC_ISSUER: ['', 'URL of an OpenID provider that users sign in with; default: only passwords'],
  ALM_OIDC_CLIENT_ID: ['', 'client id of Almanac at the OpenID provider'],
  ALM_OIDC_CLIENT_SECRET: [
    '',
    'client secret of Almanac at the OpenID provider; default: none (public client)',
  ],
  ALM_OIDC_SCOPE: ['openid profile', 'scope to request from the OpenID provider; must include openid'],
  ALM_OIDC_ACCOUNT: ['', 'account id that the OpenID provider signs in to; default: the first account'],
  ALM_OIDC_USERNAME_CLAIM: ['preferred_username', 'claim with the name of a new user'],
  ALM_OIDC_GROUPS_CLAIM: ['groups', 'claim with the groups of a user; a dot separates nested names'],
  ALM_OIDC_ROLES: [
    '',
    'roles of the groups at the OpenID provider: group=role, separated by commas; a role by name or id',
  ],
  ALM_OIDC_CREATE_USERS: [
    '1',
    '0: only users that the master has linked can sign in with the OpenID provider',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type OpenIdSetting = keyof typeof openIdSettings;

export interface GroupRole {
  group: string;
  /** Name or id. */
  role: string;
}

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  clientSecret: Secret | null;
  scope: string;
  /** Null: the first account. */
  accountId: string | null;
  usernameClaim: string;
  groupsClaim: string;
  roles: readonly GroupRole[];
  createsUsers: boolean;
}

/** Tokens and secrets would be readable in transit; only on this machine they are not in transit. */
function checkIssuer(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal) && url.search === '' && url.hash === '') return;
  throw new Error(`ALM_OIDC_ISSUER must be an https:// URL without a query, not "${text}".`);
}

function parseGroupRole(text: string): GroupRole {
  const equals = text.lastIndexOf('=');
  const [group, role] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
  if (equals < 1 || group === '' || role === '')
    throw new Error(`ALM_OIDC_ROLES must be group=role, separated by commas, not "${text}".`);
  // Names of groups in directories contain commas, written as %2C.
  try {
    return { group: decodeURIComponent(group), role };
  } catch {
    throw new Error(`ALM_OIDC_ROLES has an invalid % sequence in "${text}".`);
  }
}

/** Null: there is no OpenID provider. */
export function readOpenIdConfig(read: (name: OpenIdSetting) => string): OpenIdConfig | null {
  const issuer = read('ALM_OIDC_ISSUER');
  if (issuer === '') return null;
  checkIssuer(issuer);
  const clientId = read('ALM_OIDC_CLIENT_ID');
  if (clientId === '') throw new Error('ALM_OIDC_CLIENT_ID must be set, because ALM_OIDC_ISSUER is.');
  const scope = read('ALM_OIDC_SCOPE');
  if (!scope.split(' ').includes('openid'))
    throw new Error(`ALM_OIDC_SCOPE must include openid, not "${scope}".`);
  const secret = read('ALM_OIDC_CLIENT_SECRET');
  return {
    issuer,
    clientId,
    clientSecret: secret === '' ? null : new Secret(secret),
    scope,
    accountId: read('ALM_OIDC_ACCOUNT') || null,
    usernameClaim: read('ALM_OIDC_USERNAME_CLAIM'),
    groupsClaim: read('ALM_OIDC_GROUPS_CLAIM'),
    roles: read('ALM_OIDC_ROLES')
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map(parseGroupRole),
    createsUsers: read('ALM_OIDC_CREATE_USERS') !== '0',
  };
}
