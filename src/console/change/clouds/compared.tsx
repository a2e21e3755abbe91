import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { compareClouds } from '../../../contract/v3/cloud/portability.ts';
import { useSearchValues } from '../../address/search.ts';
import { call } from '../../api/call.ts';
import type { Draft } from '../../editor/draft.ts';
import { locateIn } from '../../editor/locate.ts';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { useSettled } from '../../parts/forms/settled.ts';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card } from '../../parts/page/card.tsx';
import { CloudPart } from './cloud.tsx';
import styles from './clouds.module.css';
import { Matrix } from './matrix.tsx';
import { type Cloud, lineAt } from './report.ts';

export type Text = Pick<Draft, 'text' | 'format'>;

/** Asks the service whenever nobody types. Nothing is made or saved there. */
function useClouds({ text, format }: Text) {
  const settled = useSettled(text);
  return useQuery({
    queryKey: ['clouds', format, settled],
    queryFn: ({ signal }) =>
      call<typeof compareClouds>('POST', '/v3/alm/template/portability', {
        query: {},
        body: { text: settled, format },
        signal,
      }),
    enabled: settled.trim() !== '',
    placeholderData: (last) => last,
    gcTime: 60_000,
  });
}

const Choice = ({ clouds, chosen }: { clouds: readonly Cloud[]; chosen: string }) => {
  const [, change] = useSearchValues();
  return (
    <div className={styles.choice} role="group" aria-label="Clouds">
      {['all', ...clouds.map(({ vendor }) => vendor)].map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === chosen}
          onClick={() => change({ clouds: each })}
        >
          {each === 'all' ? 'All clouds' : each}
        </button>
      ))}
    </div>
  );
};

const Report = ({ clouds, chosen, draft }: { clouds: readonly Cloud[]; chosen: string; draft: Text }) => {
  const { text, format } = draft;
  const lineOf = useMemo(() => {
    const locate = locateIn(text, format);
    return (path: string) => lineAt(text, locate({ path, message: '' }).from);
  }, [text, format]);
  const only = clouds.find(({ vendor }) => vendor === chosen);
  return (
    <>
      <Choice clouds={clouds} chosen={only ? chosen : 'all'} />
      {!only && (
        <div className={styles.matrix}>
          <Matrix clouds={clouds} />
        </div>
      )}
      <div className={styles.clouds}>
        {(only ? [only] : clouds).map((cloud) => (
          <CloudPart key={cloud.vendor} cloud={cloud} lineOf={lineOf} isShort={!only} />
        ))}
      </div>
      <AsCommand command={`alm template preview stack.${format} --vendor ${only?.vendor ?? 'all'}`} />
    </>
  );
};

/** The comparison itself. A module of its own: it is loaded when a user asks for it. */
const Compared = ({ draft, chosen }: { draft: Text; chosen: string }) => {
  const { data, error, refetch } = useClouds(draft);
  const [, change] = useSearchValues();
  return (
    <Card
      title="Other clouds"
      aside={
        <Button small look="quiet" onClick={() => change({ clouds: undefined })}>
          Close
        </Button>
      }
    >
      {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading what="what other clouds make of it" />}
      {!error && data && <Report clouds={data.clouds} chosen={chosen} draft={draft} />}
    </Card>
  );
};

export default Compared;
