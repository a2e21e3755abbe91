import { useEffect, useState } from 'react';
import { readTemplate } from '../../editor/convert.ts';
import type { Draft } from '../../editor/draft.ts';
import type { Problem } from '../../editor/locate.ts';
import { useSettled } from '../../parts/forms/settled.ts';
import type { Configuration } from './changes.ts';

export interface ReadText {
  /** Of the last text that could be read. */
  configuration: Configuration | null;
  problems: readonly Problem[];
  /** Whether it is that of the text as it is now. */
  isCurrent: boolean;
}

const isConfiguration = (value: unknown): value is Configuration =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Result = { configuration: Configuration } | { problem: Problem };

async function read({ text, format }: Pick<Draft, 'text' | 'format'>): Promise<Result> {
  try {
    const value = text.trim() === '' ? {} : await readTemplate(text, format);
    if (isConfiguration(value)) return { configuration: value };
    return { problem: { path: '', message: 'must be parameters with their values.' } };
  } catch (error) {
    return { problem: { path: '', message: error instanceof Error ? error.message : String(error) } };
  }
}

interface Known extends Omit<ReadText, 'isCurrent'> {
  text: string | null;
}

/** The parameters that the text means. The page reads it itself: API v2 has no route that only checks. */
export function useReadText({ text, format }: Pick<Draft, 'text' | 'format'>): ReadText {
  const [known, setKnown] = useState<Known>({ text: null, configuration: null, problems: [] });
  const settled = useSettled(text);
  useEffect(() => {
    let isWanted = true;
    void read({ text: settled, format }).then((result) => {
      if (!isWanted) return;
      setKnown(({ configuration }) =>
        'problem' in result
          ? { text: settled, configuration, problems: [result.problem] }
          : { text: settled, configuration: result.configuration, problems: [] },
      );
    });
    return () => {
      isWanted = false;
    };
  }, [settled, format]);
  return { ...known, isCurrent: known.text === text && known.problems.length === 0 };
}
