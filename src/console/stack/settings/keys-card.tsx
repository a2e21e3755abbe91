import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { createKeyLink } from '../../../contract/v3/keys.ts';
import type { forgetHostKey } from '../../../contract/v3/ssh.ts';
import { call } from '../../api/call.ts';
import { Act } from '../../parts/button.tsx';
import { Card, Stack } from '../../parts/card.tsx';
import { AsCommand } from '../../parts/copy.tsx';
import { ErrorCard } from '../../parts/error-card.tsx';
import { Select } from '../../parts/field.tsx';
import { announce } from '../../parts/toast.tsx';
import type { StackNow } from '../data/stack-now.ts';

const useKeyLink = ({ api, id }: StackNow) =>
  useMutation({
    mutationFn: (flag: string) =>
      call<typeof createKeyLink>('GET', api === 'v2' ? ('/v2/alm/pem' as '/v3/alm/pem') : '/v3/alm/pem', {
        query: { stack_id: id, ...(flag ? { flag } : {}) },
      }),
  });

const KeyLink = ({ address, flag }: { address: string; flag: string }) => (
  <p>
    <a href={address} download={`${flag || 'key'}.pem`}>
      Download the key
    </a>
  </p>
);

/** A link to the private key of a layer. The link is made on request and is not kept. */
export const KeyCard = ({ stack }: { stack: StackNow }) => {
  const { id, flags } = stack;
  const [flag, setFlag] = useState(flags[0] ?? '');
  const { mutate, data, error, isPending } = useKeyLink(stack);
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
            onChange={(event) => setFlag(event.target.value)}
          />
        )}
        <AsCommand
          command={`alm stack pem ${id}${flag ? ` --flag ${flag}` : ''} --out ${flag || 'key'}.pem`}
        />
        {error && <ErrorCard error={error} />}
        {data && <KeyLink address={data.data} flag={flag} />}
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

/** After an instance was rebuilt, its host key differs from the recorded one. */
export const HostKeyCard = ({ stack }: { stack: StackNow }) => {
  const { id, instances } = stack;
  const [chosen, setChosen] = useState(instances[0]?.InstanceId ?? '');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      call<typeof forgetHostKey>('DELETE', '/v3/alm/stack/{stack_id}/host_key/{instance_id}', {
        params: { stack_id: id, instance_id: chosen },
      }),
    onSuccess: () => announce('The host key is forgotten'),
  });
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
            options={instances.map(({ InstanceId }) => InstanceId)}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
        <AsCommand command={`alm stack forget-host-key ${id} --instance-id ${chosen || '<instance id>'}`} />
        {error && <ErrorCard error={error} />}
        <Act
          action="stack:describePem"
          stackId={id}
          off={chosen === '' ? 'The stack has no instances.' : isPending ? 'On its way …' : undefined}
          onClick={() => mutate()}
        >
          Forget the host key
        </Act>
      </Stack>
    </Card>
  );
};
