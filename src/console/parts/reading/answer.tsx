import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallFailed } from '../../api/failure.ts';
import { Empty, Loading } from '../empty.tsx';
import { ErrorCard } from '../error-card.tsx';

/** A refusal is a sentence in the page, not an error. */
export const NotAllowed = ({ what, reason }: { what: string; reason: string }) => (
  <Empty title={`You may not see ${what}`}>{reason}</Empty>
);

interface AnswerProps<T> {
  of: UseQueryResult<T>;
  /** What is read: "the credentials". */
  what: string;
  children: (data: T) => ReactNode;
}

/** What a reading shows while it is on its way, when it is refused, when it failed, and when it is there. */
export const Answer = <T,>({ of: { data, error, refetch }, what, children }: AnswerProps<T>) => {
  if (error instanceof CallFailed && error.status === 403)
    return <NotAllowed what={what} reason={error.body?.description || error.message} />;
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what={what} />;
  return <>{children(data)}</>;
};
