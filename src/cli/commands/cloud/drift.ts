import { pause } from '../../../basics/pause.ts';
import type { SuccessOf } from '../../../contract/route.ts';
import type { readDrift, startDriftCheck } from '../../../contract/v3/cloud/drift.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';

type Drift = SuccessOf<typeof readDrift>;

const path = '/v3/alm/stack/{stack_id}/drift';
/** A check takes a minute at most clouds. */
const intervalMs = 2000;

const words: Readonly<Record<string, string>> = {
  never_checked: 'Nobody has checked it. To check it now, use --check.',
  checking: 'A check is in progress.',
  in_sync: 'The resources are as the template says.',
};

const read = ({ api, args }: Context): Promise<Reply<Drift>> =>
  api.call<typeof readDrift>('GET', path, { params: { stack_id: args.required('id') } });

async function check(context: Context): Promise<Reply<Drift>> {
  const { api, args, out, system } = context;
  await api.call<typeof startDriftCheck>('POST', path, { params: { stack_id: args.required('id') } });
  out.info('Checking the resources …');
  for (;;) {
    const reply = await read(context);
    if (reply.body.state !== 'checking') return reply;
    await pause(system.clock, intervalMs);
  }
}

/** One row for each member that differs, and for each resource that is gone. */
const rowsOf = ({ resources }: Drift): string[][] =>
  resources.flatMap(({ resource, resource_type: type, kind, members }) =>
    kind === 'deleted'
      ? [[resource, type, 'deleted', '', '', '']]
      : members.map((member) => [resource, type, kind, member.path, member.expected, member.actual]),
  );

export const showDrift: Run = async (context) => {
  const { args, out } = context;
  const { text, body } = await (args.is('check') ? check(context) : read(context));
  await out.document(text, () => ({
    priority: ['RESOURCE', 'MEMBER', 'EXPECTED', 'ACTUAL'],
    header: ['RESOURCE', 'TYPE', 'KIND', 'MEMBER', 'EXPECTED', 'ACTUAL'],
    rows: rowsOf(body),
  }));
  if (body.state === 'failed') throw new CliError('operationFailed', `The check failed: ${body.reason}`);
  const state = words[body.state];
  if (state) out.info(state);
  if (body.checked_at) out.info(`Checked at ${body.checked_at}.`);
};
