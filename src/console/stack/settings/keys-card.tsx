import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { createKeyLink } from '../../../contract/v3/keys.ts';
import type { forgetHostKey } from '../../../contract/v3/ssh.ts';
import { call } from '../../api/call.ts';
import { after } from '../../clock.ts';
import { Act } from '../../parts/acts/button.tsx';
import { stackCommand, word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card, Stack } from '../../parts/page/card.tsx';
import type { StackNow } from '../data/stack-now.ts';

const linkLasts = 5 * 60_000;

function useKeyLink({ api, id }: StackNow) {
  const link = useMutation({
    mutationFn: (flag: string) =>
      call<typeof createKeyLink>('GET', api === 'v2' ? ('/v2/alm/pem' as '/v3/alm/pem') : '/v3/alm/pem', {
        query: { stack_id: id, ...(flag ? { flag } : {}) },
      }),
  });
  const { data, reset } = link;
  useEffect(() => (data ? after(linkLasts, reset) : undefined), [data, reset]);
  return link;
}

const KeyLink = ({ address, flag }: { address: string; flag: string }) => (
  <p>
    <a href={address} download={`${flag || 'key'}.pem`}>
      Download the key
    </a>
  </p>
);

const pemCommand = (stack: StackNow, flag: string): string => {
  const layer = flag ? [`--flag ${word(flag, 'layer')}`] : [];
  return stackCommand('pem', stack, ...layer, `--out ${word(`${flag || 'key'}.pem`, 'file')}`);
};

/** A link to the private key of a layer. The link is made on request and is not kept. */
export const KeyCard = ({ stack }: { stack: StackNow }) => {
  const { id, flags } = stack;
  const [chosen, setChosen] = useState('');
  // An update may have removed the layer that was chosen.
  const flag = flags.includes(chosen) ? chosen : (flags[0] ?? '');
  const { mutate, data, variables, error, isPending, reset } = useKeyLink(stack);
  return (
    <Card title="Private key of a layer">
      <Stack>
        <p>
          With the key, anyone can sign in to the servers of the layer. The link works 5 times within 5
          minutes.
        </p>
        {flags.length > 1 && (
          <Select
            label="Layer"
            value={flag}
            options={flags}
            onChange={(event) => {
              setChosen(event.target.value);
              reset();
            }}
          />
        )}
        <AsCommand command={pemCommand(stack, flag)} />
        {error && <ErrorCard error={error} />}
        {data && variables === flag && <KeyLink address={data.data} flag={flag} />}
        <Act
          action="stack:describePem"
          stackId={id}
          off={isPending ? 'On its way …' : undefined}
          onClick={() => mutate(flag)}
        >
          Make a link
        </Act>
      </Stack>
    </Card>
  );
};

const useForgetting = (stackId: string) =>
  useMutation({
    mutationFn: (instanceId: string) =>
      call<typeof forgetHostKey>('DELETE', '/v3/alm/stack/{stack_id}/host_key/{instance_id}', {
        params: { stack_id: stackId, instance_id: instanceId },
      }),
    onSuccess: (_, instanceId) => announce(`The host key of ${instanceId} is forgotten`),
  });

/** After an instance was rebuilt, its host key differs from the recorded one. */
export const HostKeyCard = ({ stack }: { stack: StackNow }) => {
  const { id, instances } = stack;
  const [picked, setPicked] = useState('');
  // The instance that was picked may have been replaced.
  const ids = instances.map(({ InstanceId }) => InstanceId);
  const chosen = ids.includes(picked) ? picked : (ids[0] ?? '');
  const { mutate, error, isPending, reset } = useForgetting(id);
  return (
    <Card title="Host key of an instance">
      <Stack>
        <p>
          Almanac records the host key of an instance at the first connection, and refuses any other. Forget
          it only if you know why it changed; the next connection records the new one.
        </p>
        {instances.length > 0 && (
          <Select
            label="Instance"
            value={chosen}
            options={ids}
            onChange={(event) => {
              setPicked(event.target.value);
              reset();
            }}
          />
        )}
        <AsCommand command={`alm stack forget-host-key ${id} --instance-id ${word(chosen, 'instance id')}`} />
        {error && <ErrorCard error={error} />}
        <Act
          action="stack:describePem"
          stackId={id}
          off={chosen === '' ? 'The stack has no instances.' : isPending ? 'On its way …' : undefined}
          onClick={() => mutate(chosen)}
        >
          Forget the host key
        </Act>
      </Stack>
    </Card>
  );
};
