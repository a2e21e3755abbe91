import { useState } from 'react';
import { useLocation } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { Act, Button, LinkButton } from '../parts/acts/button.tsx';
import { stackCommand } from '../parts/acts/command.ts';
import { useCopy } from '../parts/acts/copy.tsx';
import { Menu, type MenuItem } from '../parts/acts/menu.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { loadedLater } from '../parts/page/loaded-later.ts';
import { whyNoUpdate } from '../parts/status/status.ts';
import { usePermission } from '../session/session.ts';
import { isGone, isInProgress, type StackNow } from './data/stack-now.ts';
import { useTerminal } from './instances/terminal.ts';
import { CancelDialog } from './now/cancel.tsx';

const RefreshImages = loadedLater(() => import('./settings/refresh-images.tsx'));

const running = ({ instances }: StackNow) => instances.filter(({ State }) => State.Name === 'running');

/** One instance: its terminal. Several: the list of them. */
const Terminal = ({ stack }: { stack: StackNow }) => {
  const [, navigate] = useLocation();
  const { mutate, error, reset } = useTerminal();
  const [only, ...others] = running(stack);
  const open = (): void => {
    if (others.length > 0) navigate(addressOf(pages.instances, { id: stack.id }));
    else if (only) mutate({ stackId: stack.id, instanceId: only.InstanceId });
  };
  return (
    <>
      <Act
        action="stack:describePem"
        stackId={stack.id}
        off={only ? undefined : 'No instance is running.'}
        onClick={open}
      >
        Terminal
      </Act>
      {error && (
        <Dialog title="No terminal was opened" onClose={reset}>
          <ErrorCard error={error} />
        </Dialog>
      )}
    </>
  );
};

type Opened = 'cancel' | 'images' | null;

const whyNoRefresh = (stack: StackNow): string | undefined => {
  if (stack.api === 'v2') return 'Only for stacks of API v3.';
  if (stack.vendor !== 'aws' || stack.isSandbox) return 'Only on AWS.';
  return isInProgress(stack) ? 'Wait until the operation in progress ends.' : undefined;
};

interface MenuActs {
  open: (what: Opened) => void;
  copy: () => Promise<boolean>;
}

const useMenu = (stack: StackNow, { open, copy }: MenuActs): MenuItem[] => {
  const [, navigate] = useLocation();
  const { id, api } = stack;
  const update = usePermission('template:updateAlmTemplate', id);
  const remove = usePermission('stack:deleteStack', id);
  return [
    {
      label: 'Refresh machine images …',
      onSelect: () => open('images'),
      off: whyNoRefresh(stack) ?? (update.allowed ? undefined : update.reason),
    },
    ...(api === 'v3'
      ? [{ label: 'Compare versions', onSelect: () => navigate(addressOf(pages.versions, { id })) }]
      : []),
    { label: 'Copy as command', onSelect: () => void copy() },
    {
      label: 'Delete …',
      danger: true,
      onSelect: () => navigate(addressOf(pages.settings, { id })),
      off: remove.allowed ? undefined : remove.reason,
    },
  ];
};

const EditButton = ({ stack }: { stack: StackNow }) => {
  const label = stack.api === 'v3' ? 'Edit template' : 'Edit parameters';
  const off = whyNoUpdate(stack.status);
  if (off) return <Button off={off}>{label}</Button>;
  return <LinkButton to={addressOf(pages.edit, { id: stack.id })}>{label}</LinkButton>;
};

export const Actions = ({ stack }: { stack: StackNow }) => {
  const [opened, setOpened] = useState<Opened>(null);
  const { copy, byHand } = useCopy({ text: stackCommand('describe', stack), what: 'command' });
  const items = useMenu(stack, { open: setOpened, copy });
  if (isGone(stack)) return null;
  const close = (): void => setOpened(null);
  return (
    <>
      <Terminal stack={stack} />
      <EditButton stack={stack} />
      {stack.status === 'UPDATE_IN_PROGRESS' && stack.api === 'v3' && (
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="danger"
          onClick={() => setOpened('cancel')}
        >
          Cancel update
        </Act>
      )}
      <Menu label="More actions" items={items} />
      {opened === 'cancel' && <CancelDialog stack={stack} onClose={close} />}
      {opened === 'images' && <RefreshImages stack={stack} onClose={close} />}
      {byHand}
    </>
  );
};
