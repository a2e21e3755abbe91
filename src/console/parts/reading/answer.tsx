import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallFailed, hasStatus } from '../../api/failure.ts';
import { Empty, Loading } from '../messages/empty.tsx';
import { ErrorCard } from '../messages/error-card.tsx';

interface NotAllowedProps {
  /** What is refused: "see the credentials". */
  to: string;
  /** The missing permission, and who can grant it. */
  reason: string;
}

/** A refusal is a sentence in the page, not an error. */
export const NotAllowed = ({ to, reason }: NotAllowedProps) => (
  <Empty title={`You may not ${to}`}>{reason}</Empty>
);

interface NoDataProps {
  error: unknown;
  /** What was read: "the credentials". */
  what: string;
  onRetry: () => void;
}

/** In the place of what could not be read. */
export const NoData = ({ error, what, onRetry }: NoDataProps) =>
  error instanceof CallFailed && error.status === 403 ? (
    <NotAllowed to={`see ${what}`} reason={error.body?.description || error.message} />
  ) : (
    <ErrorCard error={error} onRetry={onRetry} />
  );

interface AnswerProps<T> {
  of: UseQueryResult<T>;
  /** What is read: "the credentials". */
  what: string;
  children: (data: T) => ReactNode;
}

/** What a reading shows while it is on its way, when it is refused, when it failed, and when it is there. */
export const Answer = <T,>({ of: { data, error, refetch }, what, children }: AnswerProps<T>) => {
  if (hasStatus(error, 403) || (error && data === undefined))
    return <NoData error={error} what={what} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what={what} />;
  return <>{children(data)}</>;
};
