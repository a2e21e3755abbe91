import type { EventSourceMessage } from 'eventsource-parser';
import { delayBefore } from '../live/liveness.ts';
import { follow, pause, type StreamOptions } from '../live/stream.ts';
import type { StackChange } from './changes.ts';
import { rereadStackList } from './stack-list.ts';

/** What the tab that holds the stream tells all tabs. */
export type AccountMessage =
  /** With a heartbeat comes the position up to which every change was sent. */
  | { kind: 'alive'; position: string | null }
  | { kind: 'change'; change: StackChange }
  /** The stream is opened: what happened before this position does not arrive. */
  | { kind: 'begin'; position: string | null }
  | { kind: 'lost' }
  /** The roles of the user do not allow it. */
  | { kind: 'refused' };

interface Listener {
  /** Where the stream continues. */
  position: () => string | null;
  /** The position is too old: the stream continues after the list, which is read again. */
  forgetPosition: () => void;
  tell: (message: AccountMessage) => void;
}

const changeOf = (event: 'stack' | 'deleted', data: string): StackChange => {
  const row = JSON.parse(data) as { stack_id: string };
  return { stackId: row.stack_id, row: event === 'stack' ? (row as StackChange['row']) : null };
};

const messageOf = ({ event, data, id }: EventSourceMessage): AccountMessage =>
  event === 'stack' || event === 'deleted'
    ? { kind: 'change', change: changeOf(event, data) }
    : { kind: 'alive', position: id ?? null };

const requestFrom = (position: string | null) => ({
  method: 'GET',
  path: '/v3/alm/stack/stream',
  query: position === null ? {} : { after: position },
});

const optionsOf = ({ position, tell }: Listener): StreamOptions => ({
  request: () => {
    tell({ kind: 'begin', position: position() });
    return requestFrom(position());
  },
  onEvent: (event) => tell(messageOf(event)),
  onAlive: () => tell({ kind: 'alive', position: null }),
  onLost: () => tell({ kind: 'lost' }),
});

/** Follows all stacks of the account until the signal aborts, or the service says that the user may not. */
export async function followAccount(listener: Listener, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const refusal = await follow(optionsOf(listener), signal);
    if (!refusal) return;
    if (refusal.status === 403) return listener.tell({ kind: 'refused' });
    listener.tell({ kind: 'lost' });
    listener.forgetPosition();
    await rereadStackList().catch(() => undefined); // the page shows the error
    await pause(delayBefore(attempt), signal);
  }
}
