import type { Generated } from 'kysely';
import type { ClientKind } from '../../model/client-kinds.ts';

/** Tables of accounts, users, clients, roles, tokens and the audit log. */
export interface AccessTables {
  accounts: AccountTable;
  users: UserTable;
  api_clients: ApiClientTable;
  client_users: ClientUserTable;
  access_tokens: AccessTokenTable;
  personal_tokens: PersonalTokenTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  passkeys: PasskeyTable;
  used_challenges: UsedChallengeTable;
  login_failures: LoginFailureTable;
  known_places: KnownPlaceTable;
  openid_identities: OpenIdIdentityTable;
  sign_in_codes: SignInCodeTable;
  roles: RoleTable;
  user_roles: UserRoleTable;
  client_roles: ClientRoleTable;
  audit: AuditTable;
}

export interface AccountTable {
  id: string;
  created_at: number;
  /** For the operator. May be empty. */
  name: string;
  suspended_at: number | null;
  /** The row of a deleted account remains, because its audit log does. */
  deleted_at: number | null;
  /** Quotas. Null: the default of the server. 0: no limit. */
  max_stacks: number | null;
  max_versions: number | null;
  max_streams: number | null;
  max_requests: number | null;
}

export interface UserTable {
  id: string;
  account_id: string;
  username: string;
  email: string;
  password_hash: string;
  /** 1 for the account's one master user. */
  master: number;
  created_at: number;
  last_login_at: number | null;
}

export interface ApiClientTable {
  id: string;
  account_id: string;
  secret_hash: string;
  created_at: number;
  label: string;
  kind: ClientKind;
}

/** Users who signed in through an API client, and so know its secret. */
interface ClientUserTable {
  client_id: string;
  user_id: string;
  last_login_at: number;
}

export interface AccessTokenTable {
  /** SHA-256 of the token; the token itself is never stored. */
  hash: string;
  /** The id shown to its owner. */
  id: string;
  account_id: string;
  kind: 'user' | 'client' | 'stack';
  /** The user's, API client's or stack's id. */
  subject: string;
  /** The API client it was issued to; only this client can revoke it. */
  client_id: string;
  /** The kind of that client; a change of the kind revokes the token. */
  client_kind: ClientKind;
  issued_at: number;
  expires_at: number;
  /** How it was obtained; empty: issued before this was recorded. */
  grant_type: Generated<string>;
  /** Address and program of the sign-in. */
  address: Generated<string>;
  user_agent: Generated<string>;
  /** To the minute; null: not used yet. */
  last_used_at: number | null;
  /** Digest of the first token of the session, which every renewed token has too; null: not a session. */
  session_hash: string | null;
  /** When the session began. */
  session_at: number | null;
  /** When the user last proved the password. Null: when it signed in. */
  proved_at: number | null;
}

/** The user that an identity of an OpenID provider signs in as. */
export interface OpenIdIdentityTable {
  account_id: string;
  issuer: string;
  /** The provider's id of the person. Names and e-mail addresses may change owners at a provider; this does not. */
  subject: string;
  user_id: string;
  created_at: number;
}

/** A one-time code that ends a sign-in in the browser: its client exchanges it for a token. */
export interface SignInCodeTable {
  /** Digest of the code. */
  hash: string;
  user_id: string;
  client_id: string;
  /** SHA-256 of the verifier that only the client knows (RFC 7636). */
  code_challenge: string;
  expires_at: number;
}

/** A key pair of a user: the device has the private half, and signs challenges with it. */
export interface PasskeyTable {
  id: string;
  account_id: string;
  user_id: string;
  /** The device's id of the key, in base64url. */
  credential_id: string;
  /** COSE key, in base64url. */
  public_key: string;
  /** How often the device has signed, if it counts; a lower number than before means a copy. */
  counter: number;
  /** How a browser reaches the device: a JSON list. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A challenge that was answered correctly: kept until it expires, so that the answer cannot be sent again. */
interface UsedChallengeTable {
  /** Digest of the challenge. */
  hash: string;
  expires_at: number;
}

/** A token that a user made for a program. */
export interface PersonalTokenTable {
  /** SHA-256 of the token; the token itself is never stored. */
  hash: string;
  /** The id shown to its owner. */
  id: string;
  account_id: string;
  user_id: string;
  name: string;
  /** JSON array of the roles it is limited to; empty if `scope` limits it. */
  role_ids: string;
  scope: string | null;
  created_at: number;
  expires_at: number;
  /** Rounded to reduce writes; null: never used. */
  last_used_at: number | null;
}

/** The secret of a user's one-time codes. */
export interface SecondFactorTable {
  user_id: string;
  account_id: string;
  sealed_secret: string;
  /** Null: the user has not yet proved that the app has the secret. */
  confirmed_at: number | null;
  /** The time step of the last accepted code: no code is accepted twice. */
  last_step: number;
  created_at: number;
}

/** Digests of codes that replace a one-time code; each is deleted when it is used. */
interface RecoveryCodeTable {
  user_id: string;
  hash: string;
}

/** Failed attempts of one caller, and the attempts that all unknown callers used up; see operations/sign-in/login-throttle. */
interface LoginFailureTable {
  /** Digest of the subject, with the caller's address or alone. */
  subject: string;
  failures: number;
  blocked_until: number;
  noted_at: number;
}

/** Addresses from which a subject signed in: others cannot slow down its sign-ins from there. */
interface KnownPlaceTable {
  /** Digest of the subject. */
  subject: string;
  /** Digest of the subject and the address. */
  place: string;
  noted_at: number;
}

export interface RoleTable {
  id: string;
  account_id: string;
  name: string;
  /** The scope as it was sent. */
  scope: string;
  created_at: number;
  updated_at: number;
}

export interface UserRoleTable {
  id: string;
  account_id: string;
  user_id: string;
  role_id: string;
  created_at: number;
  updated_at: number;
}

/** Only API clients of kind `service` have roles. */
export interface ClientRoleTable {
  client_id: string;
  role_id: string;
  account_id: string;
  created_at: number;
}

/** Audit log. Entries never change; the hash of each entry covers the entry before it. */
export interface AuditTable {
  account_id: string;
  number: number;
  at: number;
  actor_kind: 'user' | 'client' | 'stack' | 'operator';
  actor: string;
  action: string;
  resource: string;
  /** The owner of the resource, for conditions of roles. */
  owner: string;
  decision: 'allowed' | 'denied';
  route: string;
  status: number;
  address: string;
  request_id: string;
  /** Details that are not in the request line, such as a command that was run. */
  detail: string | null;
  /** Id and name of the personal access token that was used. */
  token: string | null;
  /** The client of the token, and its kind; null in entries that are older than these columns. */
  client_id: string | null;
  client_kind: ClientKind | null;
  hash: string;
}
