import type { estimateStack } from '../../contract/v3/stacks.ts';
import { useRead } from '../api/read.ts';
import { span } from '../parts/reading/time-words.ts';

/** How long an update of the stack usually takes. A new stack has no history of its own. */
export const Duration = ({ stackId, api = 'v3' }: { stackId: string | null; api?: 'v2' | 'v3' }) => {
  const { data } = useRead<typeof estimateStack>(
    // The route of v2 is the same with another path.
    `/${api}/alm/stack/{stack_id}/estimate` as '/v3/alm/stack/{stack_id}/estimate',
    { params: { stack_id: stackId ?? '' }, query: { operation: 'UPDATE' } },
    { enabled: stackId !== null },
  );
  if (!data || data.p50_seconds === null || data.p90_seconds === null)
    return <>unknown{stackId === null ? ' for a new stack' : ': this is the first update of its kind'}</>;
  const [usual, slow] = [span(data.p50_seconds * 1000), span(data.p90_seconds * 1000)];
  return (
    <>
      <strong>{usual === slow ? usual : `${usual} – ${slow}`}</strong>
      <small>from {data.samples === 1 ? '1 update' : `${data.samples} updates`} of this kind</small>
    </>
  );
};
