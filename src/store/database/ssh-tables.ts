/** The tables of keys and terminals. */
export interface SshTables {
  pem_links: PemLinkTable;
  host_keys: HostKeyTable;
  stack_keys: StackKeyTable;
  terminal_tickets: TerminalTicketTable;
}

/** A short-lived link to read the private key of one layer without a token. */
export interface PemLinkTable {
  /** Digest of the secret part of the link. */
  hash: string;
  stack_id: string;
  flag: string;
  expires_at: number;
  reads_left: number;
  /** Kind and name of the actor that asked for the link. */
  created_by: string;
}

/** The ssh host key of an instance, pinned on the first connection. */
export interface HostKeyTable {
  stack_id: string;
  instance_id: string;
  host_key: string;
  noted_at: number;
}

/** The key pair of a layer that Almanac made, where the cloud makes none. */
export interface StackKeyTable {
  stack_id: string;
  flag: string;
  /** One line of an `authorized_keys` file. */
  public_key: string;
  sealed_key: string;
  created_at: number;
}

/** A short-lived ticket that opens one terminal. */
export interface TerminalTicketTable {
  /** Digest of the ticket. */
  hash: string;
  stack_id: string;
  instance_id: string;
  /** The requested address of the instance. */
  host: string;
  ssh_user: string;
  width: number;
  height: number;
  /** Digest of the access token that requested it. */
  token_hash: string;
  expires_at: number;
}
