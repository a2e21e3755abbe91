import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { compareTemplates } from '../../contract/v3/versions.ts';
import { call } from '../api/call.ts';
import { useSettled } from '../parts/forms/settled.ts';
import type { Compared } from './diff-rows.ts';

/** A stored version, or a text. */
export type Side = { stackId: string; version: string } | { text: string };

const isText = (side: Side): side is { text: string } => 'text' in side;
const idOf = (side: Side) => (isText(side) ? [] : [{ [side.stackId]: { version: side.version } }]);

/** Long enough to go back to what was compared a moment ago. */
const gcTime = 10_000;

/** Compares as the service does: by member, without secrets. The first side is a stored version. Asks when nobody types. */
export const useCompared = (from: Side | null, to: Side | null): UseQueryResult<Compared> => {
  const typed = to && isText(to) ? to.text : '';
  const settled = useSettled(typed);
  const after = to && isText(to) ? { text: settled } : to;
  return useQuery({
    queryKey: ['compare', from, after],
    queryFn: ({ signal }) =>
      call<typeof compareTemplates>('POST', '/v3/alm/template/compare', {
        body: {
          id: [from, after].flatMap((side) => (side ? idOf(side) : [])),
          ...(after && isText(after) ? { body: [after.text] } : {}),
        },
        signal,
      }),
    enabled: from !== null && after !== null && !(isText(after) && after.text.trim() === ''),
    ...(after && isText(after) ? { gcTime } : {}),
  });
};
