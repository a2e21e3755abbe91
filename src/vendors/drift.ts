/** One resource that differs from the document. */
export interface DriftedResource {
  resource: string;
  resourceType: string;
  kind: 'changed' | 'deleted';
  /** The members that differ, as slash paths. */
  members: readonly { path: string; expected: string; actual: string }[];
}

/** Result of comparing a stack at the vendor with its document. */
export interface Drift {
  state: 'never_checked' | 'checking' | 'in_sync' | 'drifted' | 'failed';
  /** When the last check ended, in milliseconds since 1970; null: none has. */
  checkedAt: number | null;
  reason: string;
  resources: readonly DriftedResource[];
}
