import { Button } from '../../parts/acts/button.tsx';
import { Icon } from '../../parts/page/icons.tsx';
import { useActionNames, useStackNames } from '../explain/may-they.tsx';
import { Chips } from './chips.tsx';
import { addStatement, changeStatement, readScope, removeStatement, type StatementView } from './scope.ts';
import styles from './statements.module.css';

interface EditedText {
  text: string;
  onChange: (text: string) => void;
}

interface StatementProps {
  index: number;
  view: StatementView;
  onChange: (change: Partial<StatementView>) => void;
  onRemove: () => void;
}

const Effect = ({ index, view, onChange }: Omit<StatementProps, 'onRemove'>) => (
  <select
    aria-label={`Effect of statement ${index}`}
    className={view.effect === 'Allow' ? styles.allow : styles.deny}
    value={view.effect}
    onChange={(event) => onChange({ effect: event.target.value as StatementView['effect'] })}
  >
    <option>Allow</option>
    <option>Deny</option>
  </select>
);

/** The value that stands for the calling user in a condition. */
const caller = '_SUBUSER_';

const Owners = ({ index, view, onChange }: Omit<StatementProps, 'onRemove'>) =>
  view.owners === null ? (
    <span className={styles.flush}>
      <Button small look="quiet" onClick={() => onChange({ owners: [caller] })}>
        Only stacks of certain users
      </Button>
    </span>
  ) : (
    <>
      <span className={styles.word}>of</span>
      <Chips
        label={`Owners of statement ${index}`}
        placeholder="user name"
        values={view.owners}
        suggestions={[{ value: caller, label: 'the user who asks' }]}
        // A condition without owners would be refused: without owners, there is no condition.
        onChange={(owners) => onChange({ owners: owners.length > 0 ? owners : null })}
      />
    </>
  );

const RemoveButton = ({ index, onRemove }: Pick<StatementProps, 'index' | 'onRemove'>) => (
  <Button small look="quiet" aria-label={`Remove statement ${index}`} onClick={onRemove}>
    <Icon name="close" size={13} />
  </Button>
);

const Statement = ({ index, view, onChange, onRemove }: StatementProps) => {
  const actions = useActionNames();
  const stacks = useStackNames();
  return (
    <li className={styles.statement}>
      <div className={styles.head}>
        <span className={styles.number}>{index}</span>
        <Effect index={index} view={view} onChange={onChange} />
        <RemoveButton index={index} onRemove={onRemove} />
      </div>
      <Chips
        label={`Actions of statement ${index}`}
        placeholder={view.actions.length === 0 ? 'action, such as stack:describe*' : 'add an action'}
        values={view.actions}
        suggestions={[{ value: '*', label: 'everything' }, ...actions.map((value) => ({ value }))]}
        onChange={(changed) => onChange({ actions: changed })}
      />
      <div className={styles.on}>
        <span className={styles.word}>on</span>
        <Chips
          label={`Resources of statement ${index}`}
          placeholder="add a resource"
          values={view.resources}
          suggestions={[{ value: '*', label: 'everything' }, ...stacks]}
          onChange={(resources) => onChange({ resources })}
        />
      </div>
      <div className={styles.on}>
        <Owners index={index} view={view} onChange={onChange} />
      </div>
    </li>
  );
};

interface OtherProps {
  index: number;
  json: string;
  onRemove: () => void;
}

/** What the form cannot express is shown as it is, beside the statements that can be edited here. */
const OtherStatement = ({ index, json, onRemove }: OtherProps) => (
  <li className={styles.statement}>
    <div className={styles.head}>
      <span className={styles.number}>{index}</span>
      <span className={styles.word}>The form cannot show this statement. Edit it as JSON.</span>
      <RemoveButton index={index} onRemove={onRemove} />
    </div>
    <pre className={styles.other}>{json}</pre>
  </li>
);

/** The statements as a form. */
export const Statements = ({ text, onChange }: EditedText) => {
  const read = readScope(text);
  if ('problem' in read)
    return (
      <p className={styles.problem} role="status">
        {read.problem} Nothing is lost: the text is as you left it.
      </p>
    );
  return (
    <>
      <ol className={styles.statements} start={0}>
        {read.statements.map((view, index) => {
          const onRemove = (): void => onChange(removeStatement(text, index));
          // A statement is known by its place alone.
          return 'json' in view ? (
            <OtherStatement key={index} index={index} json={view.json} onRemove={onRemove} />
          ) : (
            <Statement
              key={index}
              index={index}
              view={view}
              onChange={(change) => onChange(changeStatement(text, index, change))}
              onRemove={onRemove}
            />
          );
        })}
      </ol>
      <div className={styles.add}>
        <Button small onClick={() => onChange(addStatement(text, 'Allow'))}>
          <Icon name="plus" size={13} /> Allow something
        </Button>
        <Button small onClick={() => onChange(addStatement(text, 'Deny'))}>
          <Icon name="plus" size={13} /> Deny something
        </Button>
      </div>
    </>
  );
};
