import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { compareTemplates } from '../../contract/v3/versions.ts';
import { call } from '../api/call.ts';
import type { Compared } from './diff-rows.ts';

/** A stored version, or a text. */
export type Side = { stackId: string; version: string } | { text: string };

const isText = (side: Side): side is { text: string } => 'text' in side;
const idOf = (side: Side) => (isText(side) ? [] : [{ [side.stackId]: { version: side.version } }]);

/** Compares as the service does: by member, without secrets. The first side is a stored version. */
export const useCompared = (from: Side | null, to: Side | null): UseQueryResult<Compared> =>
  useQuery({
    queryKey: ['compare', from, to],
    queryFn: ({ signal }) =>
      call<typeof compareTemplates>('POST', '/v3/alm/template/compare', {
        body: {
          id: [from, to].flatMap((side) => (side ? idOf(side) : [])),
          ...(to && isText(to) ? { body: [to.text] } : {}),
        },
        signal,
      }),
    enabled: from !== null && to !== null && !(isText(to) && to.text.trim() === ''),
  });
