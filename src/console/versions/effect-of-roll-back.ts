import { useQuery } from '@tanstack/react-query';
import type { previewRollBack } from '../../contract/v3/versions.ts';
import { call } from '../api/call.ts';

interface Asked {
  stackId: string;
  /** The version in force: after a change of it, the effect is another one. */
  current: string;
  versionId: string;
}

/** What bringing a version back would do. */
export const useEffectOfRollBack = ({ stackId, current, versionId }: Asked) =>
  useQuery({
    queryKey: ['preview', stackId, current, 'version', versionId],
    queryFn: ({ signal }) =>
      call<typeof previewRollBack>('POST', '/v3/alm/stack/{stack_id}/rollback/preview', {
        params: { stack_id: stackId },
        body: { version_id: versionId },
        signal,
      }),
    staleTime: 0,
  });
