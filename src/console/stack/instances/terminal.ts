import { useMutation } from '@tanstack/react-query';
import type { createTerminal } from '../../../contract/v3/ssh.ts';
import { servicePrefix } from '../../api/base.ts';
import { call } from '../../api/call.ts';

interface Target {
  stackId: string;
  /** Null: the only instance of the stack. */
  instanceId: string | null;
}

/** Opens a terminal in a new tab, with a ticket that can be used once. */
export const useTerminal = () =>
  useMutation({
    mutationFn: async ({ stackId, instanceId }: Target) => {
      // Only while the click is handled may a page open a tab, so it opens before there is a ticket.
      const tab = window.open('', '_blank');
      if (!tab)
        throw new Error('The browser refused to open a tab. Allow this site to open tabs, then try again.');
      try {
        const { page } = await call<typeof createTerminal>('POST', '/v3/alm/stack/{stack_id}/terminal', {
          params: { stack_id: stackId },
          body: instanceId ? { instance_id: instanceId } : {},
        });
        tab.opener = null;
        tab.location.href = servicePrefix + page;
      } catch (error) {
        tab.close();
        throw error;
      }
    },
  });
