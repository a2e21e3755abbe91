import { Button } from '../acts/button.tsx';
import { Copy } from '../acts/copy.tsx';
import { Dialog, DialogActions } from '../messages/dialog.tsx';
import { Phase } from '../status/status-phase.tsx';
import styles from './secret-once.module.css';

interface SecretOnceProps {
  title: string;
  /** Names and values; those that are secret are never shown again. */
  values: readonly { label: string; value: string }[];
  /** What must be done now. */
  warning: string;
  onClose: () => void;
}

/** Shows a new secret once. It exists only while this is open: in no cache and in no storage. */
export const SecretOnce = ({ title, values, warning, onClose }: SecretOnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p className={styles.warning}>
      <Phase tone="warn" size={16} />
      <span>{warning}</span>
    </p>
    <dl className={styles.values}>
      {values.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{value}</code>
            <Copy text={value} what={label} label="Copy" />
          </dd>
        </div>
      ))}
    </dl>
    <DialogActions>
      <Button look="main" onClick={onClose}>
        I have saved it
      </Button>
    </DialogActions>
  </Dialog>
);
