import { useState } from 'react';
import { writeTemplate } from '../editor/convert.ts';
import type { Draft } from '../editor/draft.ts';
import { TextDifference, useIsWide } from '../editor/lazy-difference.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';

interface CompareDraftProps {
  draft: Draft;
  /** The document that is in force now. */
  inForce: unknown;
  off: string | undefined;
}

/** What was typed, beside what is in force. */
export const CompareDraft = ({ draft: { text, format }, inForce, off }: CompareDraftProps) => {
  const [isOpen, setOpen] = useState(false);
  const isWide = useIsWide();
  const close = (): void => setOpen(false);
  return (
    <>
      <Button off={off} onClick={() => setOpen(true)}>
        Compare
      </Button>
      {isOpen && (
        <Dialog title="Your text and the version in force" wide onClose={close}>
          <TextDifference
            label="Version in force and your text"
            before={writeTemplate(inForce, format)}
            after={text}
            format={format}
            split={isWide}
          />
          <DialogActions>
            <Button onClick={close}>Back to the text</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
};
