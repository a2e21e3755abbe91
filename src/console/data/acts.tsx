import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { forgetData, restoreData } from '../../contract/v3/data.ts';
import { addressOf, pages } from '../address/pages.ts';
import { call } from '../api/call.ts';
import { Act, Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Stack } from '../parts/page/card.tsx';
import { keyFor, useRequestKey } from '../stack/data/request-key.ts';
import { readStackAgain } from '../stack/data/stack-now.ts';
import { reloadStackList } from '../stacks/stack-list.ts';
import { Asked } from './ask.tsx';
import styles from './data.module.css';
import { flagsOf, queryOf, questionOf, type Word } from './question.ts';
import { type DataStore, kinds, readStoresAgain } from './stores.ts';

interface ActProps {
  store: DataStore;
  onClose: () => void;
}

function useRestore({ id, stack_id }: DataStore) {
  const [, navigate] = useLocation();
  const key = useRequestKey();
  return useMutation({
    mutationFn: ({ word }: { word?: Word | undefined }) =>
      call<typeof restoreData>('POST', '/v3/alm/data/{data_id}/restore', {
        params: { data_id: id },
        query: queryOf(word),
        headers: { 'idempotency-key': keyFor(key, flagsOf(word)) },
      }),
    onSuccess: () => {
      void reloadStackList();
      void readStackAgain(stack_id);
      announce('The update has started');
      navigate(addressOf(pages.stack, { id: stack_id }));
    },
  });
}

/** A store of a deleted stack is restored by a template: then the service refuses, and says how. */
const Restore = ({ store, onClose }: ActProps) => {
  const { id, name, kind, nickname, stack_id, kept } = store;
  const restore = useRestore(store);
  const command = kept?.restore ?? '';
  if (questionOf(restore.error))
    return <Asked of={restore} command={(word) => command + flagsOf(word)} onClose={onClose} />;
  return (
    <Dialog title={`Restore ${kinds[kind].toLowerCase()} ${name}?`} onClose={onClose}>
      <Stack>
        <p>
          <strong>{nickname}</strong> is updated: its template gets this store again, with{' '}
          <code>restore_from: {id}</code>. {kept?.where}
        </p>
        <AsCommand command={command} />
        {restore.error && <ErrorCard error={restore.error} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack_id}
          look="main"
          off={restore.isPending ? 'The request is on its way.' : undefined}
          onClick={() => restore.mutate({})}
        >
          Restore
        </Act>
      </DialogActions>
    </Dialog>
  );
};

const Forget = ({ store: { id, kind, name, kept }, onClose }: ActProps) => {
  const forget = async (): Promise<void> => {
    await call<typeof forgetData>('DELETE', '/v3/alm/data/{data_id}', { params: { data_id: id } });
    await readStoresAgain();
    announce(`Forgot ${id}`);
    onClose();
  };
  return (
    <Confirm
      title={`Forget ${kinds[kind].toLowerCase()} ${name}?`}
      consequences={[
        'It is taken off this list, and can no longer be restored by Almanac.',
        `Nothing is deleted at the vendor: ${kept?.where ?? ''}`,
      ]}
      act="Forget"
      command={`alm data forget --id ${id}`}
      onConfirm={forget}
      onClose={onClose}
    />
  );
};

const dialogs = { Restore, Forget } as const;

/** What can be done with kept data. */
export const StoreActs = ({ store }: { store: DataStore }) => {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null);
  if (store.state !== 'kept') return null;
  const Opened = opened && dialogs[opened];
  const act = (label: keyof typeof dialogs, action: string) => (
    <Act
      small
      action={action}
      stackId={store.stack_id}
      aria-label={`${label} ${store.name}, ${store.id}`}
      onClick={() => setOpened(label)}
    >
      {label}
    </Act>
  );
  return (
    <span className={styles.acts}>
      {act('Restore', 'template:updateAlmTemplate')}
      {act('Forget', 'stack:deleteStack')}
      {Opened && <Opened store={store} onClose={() => setOpened(null)} />}
    </span>
  );
};
