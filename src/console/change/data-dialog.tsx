import { useState } from 'react';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Tick } from '../parts/forms/field.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import { explain } from '../parts/messages/error-card.tsx';
import type { DataChoice } from './order.ts';

const words: Readonly<Record<DataChoice, { tick: string; button: string; flag: string }>> = {
  keep: {
    tick: 'Go on. The data is kept outside the stack, as described.',
    button: 'Apply and keep the data',
    flag: '--keep-data',
  },
  delete: {
    tick: 'Go on. The data is lost and cannot be brought back.',
    button: 'Apply and delete the data',
    flag: '--delete-data',
  },
};

interface DataDialogProps {
  error: unknown;
  choice: DataChoice;
  /** Without its last flag; a function adds it itself. */
  command: string | ((choice: DataChoice) => string);
  busy: boolean;
  onConfirm: (choice: DataChoice) => void;
  onClose: () => void;
}

/** The service refuses to remove data without a word. Says what it said, and sends that word after a tick. */
export const DataDialog = ({ error, choice, command, busy, onConfirm, onClose }: DataDialogProps) => {
  const [ticked, setTicked] = useState(false);
  const { tick, button, flag } = words[choice];
  const off = busy ? 'Applying …' : ticked ? undefined : 'Tick the line above first.';
  return (
    <Dialog title="This removes data" onClose={onClose}>
      <p>{explain(error).what}</p>
      <Tick label={tick} checked={ticked} onChange={(event) => setTicked(event.currentTarget.checked)} />
      <AsCommand command={typeof command === 'string' ? `${command} ${flag}` : command(choice)} />
      <DialogActions>
        <Button onClick={onClose}>Back to the text</Button>
        <Button look="danger" off={off} onClick={() => onConfirm(choice)}>
          {button}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
