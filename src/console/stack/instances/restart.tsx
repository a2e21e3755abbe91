import { useMutation } from '@tanstack/react-query';
import type { restartInstance } from '../../../contract/v2/instances.ts';
import { call } from '../../api/call.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { stackCommand } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { type Instance, readStackAgain, type StackNow } from '../data/stack-now.ts';

interface Props {
  stack: StackNow;
  instance: Instance;
  onClose: () => void;
}

/** For stacks of API v2: replaces an instance of a group, reboots any other. */
export const Restart = ({ stack, instance, onClose }: Props) => {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      call<typeof restartInstance>('POST', '/v2/alm/stack/{stack_id}/restart_instance', {
        params: { stack_id: stack.id },
        body: { instance_id: instance.InstanceId },
      }),
    onSuccess: ({ reason }) => {
      announce(reason);
      void readStackAgain(stack.id);
      onClose();
    },
  });
  return (
    <Dialog title={`Restart ${instance.InstanceId}?`} onClose={onClose}>
      <Stack>
        <p>
          An instance of a group is replaced by a new one, and protected for the time of the lifecycle hook.
          Any other instance is rebooted.
        </p>
        <AsCommand
          command={stackCommand('restart-instance', stack, `--instance-id ${instance.InstanceId}`)}
        />
        {error && <ErrorCard error={error} />}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Act
          action="template:updateAlmTemplate"
          stackId={stack.id}
          look="danger"
          off={isPending ? 'On its way …' : undefined}
          onClick={() => mutate()}
        >
          Restart
        </Act>
      </DialogActions>
    </Dialog>
  );
};
