/** Who there is, what they may do, and what they did. */
export interface AccountTable {
  id: string;
  created_at: number;
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
  /** What its owner calls it by. */
  id: string;
  account_id: string;
  kind: 'user' | 'client' | 'stack';
  /** The user's, API client's or stack's id. */
  subject: string;
  /** The API client it was issued through, who alone may revoke it. */
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

/** Who did what to which resource, from where, and whether they might. Never changed; each entry's hash covers the one before. */
export interface AuditTable {
  account_id: string;
  number: number;
  at: number;
  actor_kind: 'user' | 'client' | 'stack';
  actor: string;
  action: string;
  resource: string;
  /** Whose resource it was, as roles may ask. */
  owner: string;
  decision: 'allowed' | 'denied';
  route: string;
  status: number;
  address: string;
  request_id: string;
  /** What the call alone does not tell, such as a command that was run. */
  detail: string | null;
  hash: string;
}
