import { draftPrefix } from './drafts-of.ts';
import type { Safe } from './without-secrets.ts';
import type { Format } from './written.ts';

/** What a person typed and has not applied yet. */
export interface Draft {
  text: string;
  format: Format;
  /** The version that the draft began from; null for a new stack. */
  base: string | null;
  /** Part of the idempotency key of everything that is applied from this draft. */
  key: string;
  nickname: string;
  /** Secrets that were not stored, and must be entered again after a reload. */
  omitted: number;
}

/** Whose draft of what. */
export interface DraftPlace {
  owner: string;
  /** Stack id, or `new`. */
  of: string;
}

const nameOf = ({ owner, of }: DraftPlace): string => `${draftPrefix}${owner} ${of}`;

export function newDraftKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'text' in value && 'format' in value && 'key' in value;

/** The draft that this browser has kept; null if there is none. */
export function readDraft(place: DraftPlace): Draft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(place)) ?? 'null');
    return isDraft(stored) ? stored : null;
  } catch {
    return null; // storage is off, or edited by hand
  }
}

/** How many of the secrets that a reload has lost are still missing in the text. */
export const lostSecrets = ({ omitted }: Draft, safe: Safe): number => Math.max(0, omitted - safe.omitted);

/** Keeps the draft with the text that has no secrets. Returns false if the browser refuses. */
export function keepDraft(place: DraftPlace, draft: Draft, safe: Safe): boolean {
  try {
    const omitted = safe.omitted + lostSecrets(draft, safe);
    localStorage.setItem(nameOf(place), JSON.stringify({ ...draft, text: safe.text, omitted }));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(place: DraftPlace): void {
  try {
    localStorage.removeItem(nameOf(place));
  } catch {
    // Storage is off: there is nothing to remove.
  }
}
