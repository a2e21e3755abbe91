/** A word that may come next. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may come next: these words, or files, which the shell knows better. */
export type Candidates = readonly Candidate[] | 'files';
