import { useEffect, useState } from 'react';

export interface RoleDraft {
  name: string;
  text: string;
  /** When the role was saved last before the draft began; empty for a new one. */
  basedOn: string;
}

/** Drafts survive visits to other pages. They hold no secret, and end with the tab. */
const drafts = new Map<string, RoleDraft>();

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

export interface Drafting {
  draft: RoleDraft;
  isChanged: boolean;
  change: (changes: Partial<RoleDraft>) => void;
  discard: () => void;
}

/** The draft of one role. The stored role and the draft are two things: reading the role again never touches the draft. */
export function useRoleDraft(id: string, saved: RoleDraft): Drafting {
  const [draft, setDraft] = useState<RoleDraft | null>(drafts.get(id) ?? null);
  const shown = draft ?? saved;
  const isChanged = draft !== null && (draft.name !== saved.name || draft.text !== saved.text);
  useEffect(() => {
    if (!isChanged) return;
    addEventListener('beforeunload', askBeforeLeaving);
    return () => removeEventListener('beforeunload', askBeforeLeaving);
  }, [isChanged]);
  return {
    draft: shown,
    isChanged,
    change: (changes) => {
      const next = { ...shown, ...changes };
      drafts.set(id, next);
      setDraft(next);
    },
    discard: () => {
      drafts.delete(id);
      setDraft(null);
    },
  };
}
