import { useQuery } from '@tanstack/react-query';
import type { SuccessOf } from '../../../contract/route.ts';
import type { previewDeletion } from '../../../contract/v3/data.ts';
import { call } from '../../api/call.ts';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { exists } from '../../parts/status/status.ts';
import type { Resource } from '../../picture/resource.ts';
import { useResources } from '../data/of-stack.ts';
import type { StackNow } from '../data/stack-now.ts';
import styles from './delete-card.module.css';
import { choicesFor, type DataChoice, dataParameter } from './deletion.ts';

export type DeletedStore = SuccessOf<typeof previewDeletion>['data'][number];

/** Read again whenever the stack changes; never while it is being deleted, because then it may be gone. */
const useDeletionPreview = (stack: StackNow, data: string | undefined, isKnown: boolean) =>
  useQuery({
    queryKey: ['deletion', stack.id, stack.status, stack.versionId, data ?? ''],
    queryFn: ({ signal }) =>
      call<typeof previewDeletion>('GET', '/v3/alm/stack/{stack_id}/deletion', {
        params: { stack_id: stack.id },
        query: data === undefined ? {} : { data },
        signal,
      }),
    enabled: isKnown && stack.status !== 'DELETE_IN_PROGRESS',
    staleTime: 0,
  });

/** What goes with the stack, and what becomes of its data with this choice. */
export function useWhatGoes(stack: StackNow, choice: DataChoice) {
  const resources = useResources(stack);
  // What may be chosen for each store is the same whatever is chosen.
  const first = useDeletionPreview(stack, undefined, true);
  const parameter = dataParameter(first.data?.data ?? [], choice);
  const chosen = useDeletionPreview(stack, parameter, first.data !== undefined);
  const stores = chosen.data?.data;
  return {
    data: resources.data && stores ? { resources: resources.data.resources, stores } : undefined,
    error: resources.error ?? first.error ?? chosen.error,
    choices: choicesFor(first.data?.data ?? []),
    parameter,
    readAgain: () => void Promise.all([resources.refetch(), first.refetch(), chosen.refetch()]),
  };
}

function countsByType(resources: readonly Resource[]): [type: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

const Resources = ({ resources }: { resources: readonly Resource[] }) => {
  const going = resources.filter(exists);
  return (
    <>
      <p>
        {going.length === 1 ? '1 resource is' : `${going.length} resources are`} removed at the vendor. This
        cannot be undone.
      </p>
      <ul className={styles.types} aria-label="What goes">
        {countsByType(going).map(([type, count]) => (
          <li key={type}>
            {count} × {type.split('::').slice(1).join(' ') || type}
          </li>
        ))}
      </ul>
    </>
  );
};

/** In the words of the service. */
export const Sentences = ({ stores }: { stores: readonly Pick<DeletedStore, 'id' | 'sentence'>[] }) =>
  stores.length > 0 && (
    <ul className={styles.sentences} aria-label="What becomes of the data">
      {stores.map(({ id, sentence }) => (
        <li key={id}>{sentence}</li>
      ))}
    </ul>
  );

export const WhatGoes = ({ of: { data, error, readAgain } }: { of: ReturnType<typeof useWhatGoes> }) => {
  if (data)
    return (
      <>
        <Resources resources={data.resources} />
        <Sentences stores={data.stores} />
      </>
    );
  return error ? <ErrorCard error={error} onRetry={readAgain} /> : <Loading what="what goes" />;
};
