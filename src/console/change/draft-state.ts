import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { isGateClosed, onGate } from '../api/sign-in-gate.ts';
import {
  type Draft,
  type DraftPlace,
  dropDraft,
  keepDraft,
  lostSecrets,
  newDraftKey,
  readDraft,
} from '../editor/draft.ts';
import type { Schema } from '../editor/schema.ts';
import { type Safe, withoutSecrets } from '../editor/without-secrets.ts';
import type { Format } from '../editor/written.ts';
import { useSession } from '../session/session.ts';
import type { Accepted } from './apply.ts';
import { isStill } from './order.ts';

/** What a draft begins with: the version in force, an example, a file. */
export interface Start {
  text: string;
  format: Format;
  base: string | null;
}

/** Whether the browser has the draft, or why not. */
export type Kept = 'kept' | 'unreadable' | 'refused';

export const keptWords: Record<Kept, string> = {
  kept: 'Draft kept in this browser',
  unreadable: 'Not kept while the text has mistakes: do not close the page',
  refused: 'This browser keeps no drafts: do not close the page',
};

export interface DraftState {
  draft: Draft;
  /** Whether it differs from what it began with. */
  isChanged: boolean;
  kept: Kept;
  /** Secrets that a reload has lost. */
  lostSecrets: number;
  change: (changes: Partial<Draft>) => void;
  /** Begins again, with something else. */
  begin: (start: Start) => void;
  /** The service took `sent`. Returns whether something was typed since: it goes on as a draft of the new version. */
  taken: (sent: Draft, by: Pick<Accepted, 'stack_id' | 'version_id'>) => boolean;
}

const fresh = (start: Start): Draft => ({ ...start, key: newDraftKey(), nickname: '', omitted: 0 });

/** Whose drafts these are; null until it is known. A sign-in that expires takes no text off the screen. */
export function useOwner(): string | null {
  const { data } = useSession();
  const owner = useRef<string | null>(null);
  if (data?.user) owner.current = `${data.user.account_id}/${data.user.name}`;
  return owner.current;
}

/** A text in which secrets cannot be found stays in memory: what was kept before it stays too. */
const keepSafely = (place: DraftPlace, draft: Draft, safe: Safe | null): Kept => {
  if (!safe) return 'unreadable';
  return keepDraft(place, draft, safe) ? 'kept' : 'refused';
};

/** Read from the browser once, and written with every change while the user is signed in. */
function useKept(place: DraftPlace, start: Start, schema: Schema | null) {
  const [stored] = useState(() => readDraft(place));
  const [draft, setDraft] = useState<Draft>(() => stored ?? fresh(start));
  const [isChanged, setChanged] = useState(stored !== null);
  const [kept, setKept] = useState<Kept>('kept');
  const isExpired = useSyncExternalStore(onGate, isGateClosed);
  const { owner, of } = place;
  const { text, format } = draft;
  const safe = useMemo(() => withoutSecrets(text, format, schema), [text, format, schema]);
  const lastSafe = useRef<Safe>({ text: '', omitted: 0 });
  if (safe) lastSafe.current = safe;
  useEffect(() => {
    if (isChanged && !isExpired) setKept(keepSafely({ owner, of }, draft, safe));
  }, [draft, safe, isChanged, isExpired, owner, of]);
  return { draft, setDraft, isChanged, setChanged, kept, safe, lost: lostSecrets(draft, lastSafe.current) };
}

/** The draft of a person. Nothing that arrives from the service touches it. */
export function useDraft(place: DraftPlace, start: Start, schema: Schema | null): DraftState {
  const { setDraft, setChanged, safe, lost, ...kept } = useKept(place, start, schema);
  const latest = useRef({ ...kept, safe });
  latest.current = { ...kept, safe };
  const { owner, of } = place;
  const change = useCallback(
    (changes: Partial<Draft>) => {
      setChanged(true);
      setDraft((old) => ({ ...old, ...changes }));
    },
    [setChanged, setDraft],
  );
  const forget = useCallback(() => {
    dropDraft({ owner, of });
    setChanged(false);
  }, [owner, of, setChanged]);
  const begin = (next: Start): void => {
    forget();
    setDraft(fresh(next));
  };
  const taken: DraftState['taken'] = (sent, { stack_id, version_id }) => {
    const { draft, isChanged, safe: now } = latest.current;
    const isTypedSince = isChanged && !isStill(sent, draft);
    const later = { ...draft, base: version_id, key: newDraftKey() };
    if (isTypedSince && of === stack_id) setDraft(later);
    else forget();
    if (isTypedSince && of !== stack_id) keepSafely({ owner, of: stack_id }, later, now);
    return isTypedSince;
  };
  return { ...kept, lostSecrets: lost, change, begin, taken };
}
