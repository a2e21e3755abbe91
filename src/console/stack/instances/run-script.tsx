import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf } from '../../../contract/route.ts';
import type { runScript } from '../../../contract/v3/ssh.ts';
import { call } from '../../api/call.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, TextArea } from '../../parts/forms/field.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { span } from '../../parts/reading/time-words.ts';
import { Pill } from '../../parts/status/status-phase.tsx';
import type { Instance, StackNow } from '../data/stack-now.ts';
import styles from './run-script.module.css';

interface Outcome {
  exit_code: number;
  stdout: string;
  stderr: string;
  timed_out: boolean;
  truncated: boolean;
  duration_ms: number;
}

const Result = ({ outcome }: { outcome: Outcome }) => (
  <section aria-label="Result" className={styles.result}>
    <p>
      <Pill tone={outcome.exit_code === 0 ? 'good' : 'bad'}>
        {outcome.timed_out ? 'Timed out' : `Exit code ${outcome.exit_code}`}
      </Pill>{' '}
      after {span(outcome.duration_ms)}
      {outcome.truncated && ', output cut off after 1 MiB'}
    </p>
    {/* Scrollable regions can be reached by keyboard. */}
    {outcome.stdout && <pre tabIndex={0}>{outcome.stdout}</pre>}
    {outcome.stderr && <pre tabIndex={0}>{outcome.stderr}</pre>}
  </section>
);

interface Props {
  stack: StackNow;
  instance: Instance;
  onClose: () => void;
}

const useScript = (stackId: string) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof runScript>) =>
      call<typeof runScript>('POST', '/v3/alm/stack/{stack_id}/exec', {
        params: { stack_id: stackId },
        body,
      }),
  });

/** The same on the command line. */
const commandOf = (stack: StackNow, { PrivateIpAddress, flag }: Instance, seconds: string): string =>
  `alm stack exec --target '${stack.id}|${PrivateIpAddress}${flag ? `:${flag}` : ''}' --script script.sh --script-timeout ${seconds}`;

const Seconds = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Field
    label="Seconds at most"
    type="number"
    min={1}
    max={600}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** Runs a script on one instance. What was typed stays after an error. */
export const RunScript = ({ stack, instance, onClose }: Props) => {
  const [script, setScript] = useState('');
  const [seconds, setSeconds] = useState('60');
  const { mutate, data, error, isPending } = useScript(stack.id);
  const run = (): void =>
    mutate({ instance_id: instance.InstanceId, script, timeout_seconds: Number(seconds) });
  const off = isPending
    ? 'The script is running.'
    : script.trim() === ''
      ? 'Type a script first.'
      : undefined;
  return (
    <Dialog title={`Run a script on ${instance.InstanceId}`} wide onClose={onClose}>
      <Stack>
        <TextArea
          label="Script"
          hint="For the shell of the default user, or the interpreter named by #!. It is recorded in the audit log."
          rows={6}
          value={script}
          onChange={(event) => setScript(event.target.value)}
        />
        <Seconds value={seconds} onChange={setSeconds} />
        <AsCommand command={commandOf(stack, instance, seconds)} />
        {error && <ErrorCard error={error} />}
        {data && <Result outcome={data} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Act action="stack:describePem" stackId={stack.id} look="main" off={off} onClick={run}>
          Run
        </Act>
      </DialogActions>
    </Dialog>
  );
};
