import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useSearchValues } from '../address/search.ts';
import { Empty } from '../parts/messages/empty.tsx';
import { Card } from '../parts/page/card.tsx';
import { useNarrow } from '../parts/page/narrow.ts';
import { Draw } from './draw.tsx';
import { type LanesInput, lanes } from './lanes.ts';
import { groupAbove, layered, listAbove } from './layered.ts';
import styles from './picture-card.module.css';
import { ResourceList } from './resource-list.tsx';

const narrowWidth = 720;

const modes = { layers: 'Layers', all: 'All resources', list: 'List' } as const;
type Mode = keyof typeof modes;

const modeOf = (value: string | undefined): Mode => (value === 'all' || value === 'list' ? value : 'layers');

/** The address of this page with another selected resource. */
const useResourceAddress = (): ((resource: string) => string) => {
  const [path] = useLocation();
  const search = useSearch();
  return useMemo(() => {
    const others = new URLSearchParams(search);
    others.delete('resource');
    const start = others.size > 0 ? `${path}?${others.toString()}&` : `${path}?`;
    return (resource) => `${start}resource=${encodeURIComponent(resource)}`;
  }, [path, search]);
};

const Modes = ({ mode, count }: { mode: Mode; count: number }) => {
  const [, change] = useSearchValues();
  return (
    <div className={styles.modes} role="group" aria-label="Show as">
      {(Object.keys(modes) as Mode[]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === mode}
          onClick={() => change({ show: each === 'layers' ? undefined : each })}
        >
          {each === 'all' ? `All ${count} resources` : modes[each]}
        </button>
      ))}
    </div>
  );
};

type Props = Omit<LanesInput, 'narrow'> & { selected: string | null };

type DrawnProps = Props & { mode: Mode; addressOf: (resource: string) => string };

const Drawn = ({ mode, selected, addressOf, resources, servers, about }: DrawnProps) => {
  const narrow = useNarrow(narrowWidth);
  const picture = useMemo(
    () => (mode === 'all' ? layered(resources) : lanes({ resources, servers, about, narrow })),
    [mode, resources, servers, about, narrow],
  );
  return (
    <Draw
      key={mode}
      label={mode === 'all' ? 'Resources and what they depend on' : 'Layers of the stack'}
      picture={picture}
      narrow={narrow && mode === 'layers'}
      selected={selected}
      addressOf={addressOf}
    />
  );
};

const Drawing = ({ mode, ...props }: Props & { mode: Mode }) => {
  const toResource = useResourceAddress();
  const { resources } = props;
  if (mode === 'list') return <ResourceList resources={resources} addressOf={toResource} />;
  if (mode === 'all' && resources.length > listAbove)
    return (
      <Empty title={`${resources.length} resources are too many for a picture`}>
        Choose <strong>List</strong> above, or the picture of the <strong>Layers</strong>.
      </Empty>
    );
  return (
    <>
      {mode === 'all' && resources.length > groupAbove && (
        <p className={styles.note}>Grouped by type and layer.</p>
      )}
      <Drawn {...props} mode={mode} addressOf={toResource} />
    </>
  );
};

/** The stack as a picture of its layers, of all its resources, or as a list. */
export const PictureCard = (props: Props) => {
  const [{ show }] = useSearchValues();
  const mode = modeOf(show);
  return (
    <Card title="Picture" aside={<Modes mode={mode} count={props.resources.length} />}>
      {props.resources.length === 0 ? (
        <p className={styles.note}>The stack has no resources.</p>
      ) : (
        <Drawing {...props} mode={mode} />
      )}
    </Card>
  );
};
