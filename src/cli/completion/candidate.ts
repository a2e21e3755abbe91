/** A suggested word. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Suggestions for the next word; `files` leaves file names to the shell. */
export type Candidates = readonly Candidate[] | 'files';
