import { useSearchValues } from '../../address/search.ts';
import { Act } from '../../parts/acts/button.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { Card } from '../../parts/page/card.tsx';
import { loadedLater } from '../../parts/page/loaded-later.ts';
import styles from './clouds.module.css';
import type { Text } from './compared.tsx';

const Compared = loadedLater(() => import('./compared.tsx'), {
  placeholder: <Loading what="the comparison" />,
});

/** What the text would become on every cloud. Which one is shown is in the address. */
export const CloudsCard = ({ draft }: { draft: Text }) => {
  const [{ clouds: chosen }, change] = useSearchValues();
  if (chosen) return <Compared draft={draft} chosen={chosen} />;
  return (
    <Card title="Other clouds">
      <p className={styles.about}>
        See what each cloud would make of this text: what maps, what changes, what is refused.
      </p>
      <Act
        small
        action="template:describeAlmTemplate"
        off={draft.text.trim() === '' ? 'There is no text yet.' : undefined}
        onClick={() => change({ clouds: 'all' })}
      >
        Compare clouds
      </Act>
    </Card>
  );
};
