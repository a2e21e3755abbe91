import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { previewTemplate } from '../../contract/v3/templates.ts';
import { call } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import type { Problem } from '../editor/locate.ts';
import type { Format } from '../editor/written.ts';
import { useSettled } from '../parts/forms/settled.ts';

export type Preview = SuccessOf<typeof previewTemplate>;

export interface PreviewState {
  /** Of the last text without problems. */
  preview: Preview | null;
  /** Whether it is that of the text as it is now. */
  isCurrent: boolean;
  isPending: boolean;
  problems: readonly Problem[];
  /** Anything else than problems of the text. */
  error: unknown;
  again: () => void;
}

const none: readonly Problem[] = [];

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof CallFailed && error.status === 400 ? (error.body?.problems ?? none) : none;

interface Previewed {
  text: string;
  format: Format;
  stackId: string | null;
  /** The version in force: the same text does something else to another one. */
  version: string | null;
}

/** What applying the text would do. Asks the service whenever nobody types; nothing is changed there. */
export function usePreview({ text, format, stackId, version }: Previewed): PreviewState {
  const settled = useSettled(text);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['preview', stackId, version, format, settled],
    queryFn: ({ signal }) =>
      call<typeof previewTemplate>('POST', '/v3/alm/template/preview', {
        query: stackId === null ? {} : { stack_id: stackId },
        body: { text: settled, format },
        signal,
      }),
    enabled: settled.trim() !== '',
    gcTime: 60_000,
  });
  const [good, setGood] = useState<Preview | null>(null);
  useEffect(() => {
    if (data) setGood(data);
  }, [data]);
  const problems = problemsOf(error);
  const isPending = settled !== text || isFetching;
  return {
    preview: data ?? good,
    isCurrent: data !== undefined && settled === text,
    isPending,
    problems,
    error: problems.length > 0 ? null : error,
    again: () => void refetch(),
  };
}
