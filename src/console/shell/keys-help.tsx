import { keys } from '../address/keys.ts';
import { Tick } from '../parts/forms/field.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { setPreferences, usePreferences } from '../preferences.ts';
import styles from './keys-help.module.css';

const KeysHelp = ({ onClose }: { onClose: () => void }) => {
  const { letterKeys } = usePreferences();
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {Object.values(keys).map((shortcut) => (
          <div key={shortcut.keys}>
            <dt>
              {shortcut.keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.what}</dd>
          </div>
        ))}
      </dl>
      <Tick
        label="Single letters are shortcuts"
        hint="Ctrl K always works."
        checked={letterKeys}
        onChange={(event) => setPreferences({ letterKeys: event.target.checked })}
      />
    </Dialog>
  );
};

export default KeysHelp;
