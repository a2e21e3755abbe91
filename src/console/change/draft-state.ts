import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type Draft,
  type DraftPlace,
  dropDraft,
  keepDraft,
  newDraftKey,
  readDraft,
} from '../editor/draft.ts';
import type { Schema } from '../editor/schema.ts';
import type { Format } from '../editor/written.ts';

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
  forget: () => void;
}

const fresh = (start: Start): Draft => ({ ...start, key: newDraftKey(), nickname: '', omitted: 0 });

/**
 * The draft of a person. It is read from the browser once and written with every change; nothing that arrives from the
 * service touches it.
 */
export function useDraft(place: DraftPlace, start: Start, schema: Schema | null): DraftState {
  const [stored] = useState(() => readDraft(place));
  const [draft, setDraft] = useState<Draft>(() => stored ?? fresh(start));
  const [isChanged, setChanged] = useState(stored !== null);
  const [isKept, setKept] = useState(true);
  const latestSchema = useRef(schema);
  latestSchema.current = schema;
  const { owner, of } = place;
  useEffect(() => {
    if (isChanged) setKept(keepDraft({ owner, of }, draft, latestSchema.current));
  }, [draft, isChanged, owner, of]);
  const change = useCallback((changes: Partial<Draft>) => {
    setChanged(true);
    setDraft((old) => ({ ...old, ...changes }));
  }, []);
  const forget = useCallback(() => {
    dropDraft({ owner, of });
    setChanged(false);
  }, [owner, of]);
  const begin = useCallback(
    (next: Start) => {
      forget();
      setDraft(fresh(next));
    },
    [forget],
  );
  return { draft, isChanged, isKept, lostSecrets: draft.omitted, change, begin, forget };
}
