import type { Static } from 'typebox';
import type { exportAudit as exportRoute } from '../../../contract/v3/audit.ts';
import type { Context } from '../../command.ts';

type AuditQuery = Static<(typeof exportRoute)['query']>;

/** The filter flags, which `audit list` and `audit export` share. */
export const filtersFrom = ({ args }: Context): AuditQuery => {
  const names = ['actor', 'action', 'resource', 'from', 'to'] as const;
  const texts = names.flatMap((name) => (args.text(name) ? [[name, args.text(name)]] : []));
  const decision = args.text('decision');
  return {
    ...Object.fromEntries(texts),
    ...(decision === 'allowed' || decision === 'denied' ? { decision } : {}),
  };
};
