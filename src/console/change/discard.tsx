import { useState } from 'react';
import { Button } from '../parts/acts/button.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';

interface DiscardProps {
  off: string | undefined;
  onDiscard: () => void;
}

export const Discard = ({ off, onDiscard }: DiscardProps) => {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button off={off} onClick={() => setAsked(true)}>
        Discard
      </Button>
      {asked && (
        <Dialog title="Discard the draft?" onClose={() => setAsked(false)}>
          <p>What you typed is removed from this browser. The stack is not changed.</p>
          <DialogActions>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsked(false);
                onDiscard();
              }}
            >
              Discard the draft
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
};
