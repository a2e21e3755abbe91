import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { Connection } from '../../follow/connection.ts';
import { openWaitScope } from '../../follow/wait-scope.ts';
import { lineWriter } from './line-writer.ts';
import { callLogs, type InstanceLogs, type LogNews, type Logs, streamLogs } from './log-calls.ts';

const isTrouble = ({ state }: InstanceLogs): boolean =>
  state === 'unavailable' || state === 'silent' || state === 'failed';

function tellGap({ out }: Context, { gap }: Extract<LogNews, { kind: 'gap' }>): void {
  const count = gap.lines === null ? 'Some lines' : `${gap.lines} lines`;
  const where = gap.instance_id === '' ? '' : ` of instance ${gap.instance_id}`;
  out.warn(`${count}${where} are missing here.`);
}

function tellInstance({ out, system }: Context, logs: InstanceLogs): void {
  if (isTrouble(logs)) out.warn(logs.message);
  else if (logs.state === 'waiting' && system.stderr.isTTY)
    out.info(`Waiting for the agent of instance ${logs.instance_id}, which can take 10 seconds.`);
}

async function follow(context: Context, stackId: string, signal: AbortSignal): Promise<never> {
  const { out, system } = context;
  const connection = new Connection({
    clock: system.clock,
    signal,
    onLost: (reason) => out.warn(`Connection lost: ${reason} Reconnecting.`),
    onRestored: () => out.info('Reconnected.'),
  });
  const write = await lineWriter(context);
  for await (const news of streamLogs(context, { stackId, connection, signal })) {
    if (news.kind === 'line') write(news.line);
    else if (news.kind === 'gap') tellGap(context, news);
    else tellInstance(context, news.logs);
  }
  throw new Error('The stream of logs ended unexpectedly');
}

async function followUntilInterrupted(context: Context, stackId: string): Promise<number> {
  const scope = openWaitScope(context.system, 0);
  try {
    return await follow(context, stackId, scope.signal);
  } catch (error) {
    if (!scope.signal.aborted) throw error;
    return exitCodeOf('interrupted');
  } finally {
    scope.close();
  }
}

/** Messages are for people; a script reads the states in the document. */
function tellResult({ out }: Context, { lines, instances, left_out }: Logs): void {
  if (left_out > 0)
    out.warn(`${left_out} older lines are left out. Ask for fewer --lines, or for one --instance.`);
  const troubled = instances.filter(isTrouble);
  for (const { message } of troubled) out.warn(message);
  if (instances.length === 0) out.info('The stack has no instances.');
  else if (troubled.length === instances.length && lines.length === 0)
    throw new CliError('noAnswer', 'No instance has sent its logs.');
  else if (lines.length === 0) out.info('There are no lines.');
}

export const showLogs: Run = async (context) => {
  const { args, out } = context;
  const stackId = args.required('id');
  if (args.is('follow')) return followUntilInterrupted(context, stackId);
  const { text, body } = await callLogs(context, stackId);
  if (out.format === 'table') {
    const write = await lineWriter(context);
    for (const line of body.lines) write(line);
  } else await out.document(text, () => ({ header: [], rows: [] }));
  tellResult(context, body);
  return undefined;
};
