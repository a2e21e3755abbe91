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

/** Some clouds show the result before for a while: that one is not the answer. */
const isNew = ({ state, checked_at }: Drift, before: Drift): boolean =>
  state === 'failed' || (state !== 'checking' && checked_at !== before.checked_at);

async function check(context: Context): Promise<Reply<Drift>> {
  const { api, args, out, system } = context;
  const { body: before } = await read(context);
  await api.call<typeof startDriftCheck>('POST', path, { params: { stack_id: args.required('id') } });
  out.info('Checking the resources …');
  const limit = (args.number('wait-timeout') ?? 0) * 1000;
  const started = system.clock.now();
  for (;;) {
    const reply = await read(context);
    if (isNew(reply.body, before)) return reply;
    if (limit > 0 && system.clock.now() - started >= limit)
      throw new CliError('noAnswer', 'The check has not ended yet. Its result: alm stack drift');
    await pause(system.clock, intervalMs);
  }
}

/** One row for each member that differs, and for each resource that is gone or of which the cloud does not say what differs. */
const rowsOf = ({ resources }: Drift): string[][] =>
  resources.flatMap(({ resource, resource_type: type, kind, members }) =>
    members.length === 0
      ? [[resource, type, kind, '', '', '']]
      : members.map((member) => [resource, type, kind, member.path, member.expected, member.actual]),
  );

const stateOf = ({ state, resources: { length } }: Drift): string =>
  state === 'drifted'
    ? `${length} ${length === 1 ? 'resource differs' : 'resources differ'}.`
    : (words[state] ?? '');

export const showDrift: Run = async (context) => {
  const { args, out } = context;
  const { text, body } = await (args.is('check') ? check(context) : read(context));
  await out.document(text, () => ({
    priority: ['RESOURCE', 'MEMBER', 'EXPECTED', 'ACTUAL'],
    header: ['RESOURCE', 'TYPE', 'KIND', 'MEMBER', 'EXPECTED', 'ACTUAL'],
    rows: rowsOf(body),
  }));
  if (body.state === 'failed') throw new CliError('operationFailed', `The check failed: ${body.reason}`);
  for (const line of [stateOf(body), body.reason]) if (line !== '') out.info(line);
  if (body.checked_at) out.info(`Checked at ${body.checked_at}.`);
};
