import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
import { withoutSecrets } from '../editor/without-secrets.ts';
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

export interface DraftState {
  draft: Draft;
  /** Whether it differs from what it began with. */
  isChanged: boolean;
  /** False: the browser refuses to keep it. */
  isKept: boolean;
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

/** Read from the browser once, and written with every change. */
function useKept(place: DraftPlace, start: Start, schema: Schema | null) {
  const [stored] = useState(() => readDraft(place));
  const [draft, setDraft] = useState<Draft>(() => stored ?? fresh(start));
  const [isChanged, setChanged] = useState(stored !== null);
  const [isKept, setKept] = useState(true);
  const { owner, of } = place;
  const { text, format } = draft;
  const safe = useMemo(() => withoutSecrets(text, format, schema), [text, format, schema]);
  useEffect(() => {
    if (isChanged) setKept(keepDraft({ owner, of }, draft, safe));
  }, [draft, safe, isChanged, owner, of]);
  return { draft, setDraft, isChanged, setChanged, isKept, safe };
}

/** The draft of a person. Nothing that arrives from the service touches it. */
export function useDraft(place: DraftPlace, start: Start, schema: Schema | null): DraftState {
  const { setDraft, setChanged, safe, ...kept } = useKept(place, start, schema);
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
    if (isTypedSince && of !== stack_id) keepDraft({ owner, of: stack_id }, later, now);
    return isTypedSince;
  };
  return { ...kept, lostSecrets: lostSecrets(kept.draft, safe), change, begin, taken };
}
