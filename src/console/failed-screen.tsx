import { Component, type ReactNode } from 'react';
import { Dialog } from './parts/messages/dialog.tsx';
import { ErrorCard } from './parts/messages/error-card.tsx';

interface Props {
  children: ReactNode;
  /** For what lies over the page: its error does, too. */
  onClose?: () => void;
}

/** A screen that throws shows its error; the rest of the page keeps working. */
export class FailedScreen extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { children, onClose } = this.props;
    const { error } = this.state;
    if (error === null) return children;
    const card = <ErrorCard error={error} onRetry={() => location.reload()} />;
    return onClose ? (
      <Dialog title="This cannot be shown" onClose={onClose}>
        {card}
      </Dialog>
    ) : (
      card
    );
  }
}
