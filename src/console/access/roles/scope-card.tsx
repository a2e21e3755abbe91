import { useSearchValues } from '../../address/search.ts';
import { TextArea } from '../../parts/forms/field.tsx';
import { Card } from '../../parts/page/card.tsx';
import styles from './statements.module.css';
import { Statements } from './statements.tsx';

interface ScopeCardProps {
  text: string;
  onChange: (text: string) => void;
}

/** The statements as a form or as JSON; both edit the same text. */
export const ScopeCard = ({ text, onChange }: ScopeCardProps) => {
  const [search, change] = useSearchValues();
  const isJson = search['as'] === 'json';
  return (
    <Card
      flush
      title="Statements"
      aside={
        <div role="group" aria-label="Show as" className={styles.views}>
          <button type="button" aria-pressed={!isJson} onClick={() => change({ as: undefined })}>
            Form
          </button>
          <button type="button" aria-pressed={isJson} onClick={() => change({ as: 'json' })}>
            JSON
          </button>
        </div>
      }
    >
      {isJson ? (
        <div className={styles.json}>
          <TextArea
            label="Scope of the role"
            rows={20}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      ) : (
        <Statements text={text} onChange={onChange} />
      )}
    </Card>
  );
};
