import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { injectFault, listFaults } from '../../contract/v3/sandbox.ts';
import { addressOf, pages } from '../address/pages.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { useStackList } from '../stacks/stack-list.ts';
import { type FaultInForce, inWords } from './fault.ts';
import styles from './screen.module.css';

const path = '/v3/sandbox/fault';

export const readFaultsAgain = (): void => void readAgain(path);

const Target = ({ fault: { kind, stack_id: stackId } }: { fault: FaultInForce }) => {
  const { data = [] } = useStackList();
  if (stackId === null) return <>{kind === 'unreachable' ? 'all stacks' : 'the next stack'}</>;
  const nickname = data.find(({ stack_id }) => stack_id === stackId)?.nickname;
  return <Link to={addressOf(pages.stack, { id: stackId })}>{nickname ?? stackId}</Link>;
};

const Fault = ({ fault }: { fault: FaultInForce }) => (
  <li>
    <span>{inWords(fault)}</span>
    <small>
      <Target fault={fault} />
      {fault.until && (
        <>
          {' '}
          · until <When at={fault.until} />
        </>
      )}
    </small>
  </li>
);

function useClear() {
  return useMutation({
    mutationFn: () => call<typeof injectFault>('POST', path, { body: { kind: 'clear' } }),
    onSuccess: ({ message }) => {
      announce(message);
      readFaultsAgain();
    },
  });
}

/** A fault that has happened, or whose time is over, is gone: the list is read again while it is on the screen. */
const everySoOften = 5000;

/** The faults that wait or last. */
export const InForce = () => {
  const faults = useRead<typeof listFaults>(path, undefined, { staleTime: 0, refetchInterval: everySoOften });
  const { mutate, error, isPending } = useClear();
  const count = faults.data?.length ?? 0;
  const off = count === 0 ? 'There is nothing to clear.' : isPending ? 'On its way …' : undefined;
  return (
    <Card
      title="In force"
      aside={
        <Button small off={off} onClick={() => mutate()}>
          Clear all
        </Button>
      }
    >
      {error && <ErrorCard error={error} />}
      <Stack>
        <Answer of={faults} what="the faults">
          {(all) =>
            all.length === 0 ? (
              <p className={styles.none}>None. A fault leaves this list when it has happened.</p>
            ) : (
              <ul className={styles.faults} aria-label="Faults in force">
                {all.map((fault, index) => (
                  // Two faults may be the same: they are known by their places.
                  <Fault key={index} fault={fault} />
                ))}
              </ul>
            )
          }
        </Answer>
        <AsCommand command="alm sandbox faults" />
      </Stack>
    </Card>
  );
};
