import { Component, type ReactNode } from 'react';
import { ErrorCard } from './parts/messages/error-card.tsx';

/** A screen that throws shows its error; the rest of the page keeps working. */
export class FailedScreen extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <ErrorCard error={this.state.error} onRetry={() => location.reload()} />;
  }
}
