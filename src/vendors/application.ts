/** The vendor undoes what a failed creation or update did. */
export interface Undoing {
  /** What failed, and why. */
  cause: string;
  /** Resources that are undone, and all that have to be; absent: the vendor does not say. */
  progress?: { done: number; of: number } | undefined;
}

/** The revision of a layer that its instances should run, and since when. */
export interface WantedRevision {
  flag: string;
  revision: number;
  image: string;
  since: number;
}

export interface AskedApps {
  wanted: readonly WantedRevision[];
  /** What each instance served last, by its id. */
  servingOn: ReadonlyMap<string, number>;
}

/** What one instance runs, as an agent or the vendor itself says. */
export interface AppReport {
  instanceId: string;
  flag: string;
  /** The revision that the report is about. */
  revision: number;
  /** The revision that serves; 0: none does. */
  serving: number;
  state: 'starting' | 'serving' | 'failing';
  /** Trying again cannot help. */
  isDefinite: boolean;
  reason: string;
  /** The last lines of the container. */
  lastLines: string;
  /** What serves. */
  image: string;
  digest: string;
}
