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
  issued_at: number;
  expires_at: number;
}

export interface LoginFailureTable {
  subject: string;
  failures: number;
  blocked_until: number;
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

/** Audit log. Entries never change; the hash of each entry covers the entry before it. */
export interface AuditTable {
  account_id: string;
  number: number;
  at: number;
  actor_kind: 'user' | 'client' | 'stack';
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
  hash: string;
}
