/** Limits of an account. 0: no limit. */
export interface Quota {
  stacks: number;
  /** Versions kept of each stack. */
  versions: number;
  /** Open event streams on one server. */
  streams: number;
  /** Requests per second on one server. */
  requests: number;
}
