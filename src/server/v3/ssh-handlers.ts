import * as ssh from '../../contract/v3/ssh.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type ExecOutcome, runOnInstance } from '../../operations/ssh/exec.ts';
import { forgetHostKey } from '../../operations/ssh/forget-host-key.ts';
import { createTicket, ticketSeconds } from '../../operations/ssh/ticket.ts';
import { type Handlers, reply } from '../http/binding.ts';

const presentOutcome = ({ target, ...outcome }: ExecOutcome) => ({
  instance_id: target.instanceId,
  ip: target.host,
  user: target.user,
  exit_code: outcome.exitCode,
  stdout: outcome.stdout.toString('utf8'),
  stderr: outcome.stderr.toString('utf8'),
  truncated: outcome.truncated,
  timed_out: outcome.timedOut,
  duration_ms: outcome.durationMs,
});

const targetOf = (body: { ip?: string; instance_id?: string; flag?: string; user?: string }) => ({
  ip: body.ip,
  instanceId: body.instance_id,
  flag: body.flag,
  user: body.user,
});

const noStore = { 'cache-control': 'no-store' };

export const sshHandlers = (service: Service): Handlers<typeof ssh.sshRoutes, Actor> => ({
  runScript: async ({ actor, params, body, request }) => {
    const caller = { actor, route: ssh.runScript, request };
    const { script, timeout_seconds: timeoutSeconds } = body;
    const run = { stackId: params.stack_id, ...targetOf(body), script, timeoutSeconds };
    const outcome = await runOnInstance(service, caller, run);
    return reply({ headers: noStore, body: presentOutcome(outcome) });
  },
  createTerminal: async ({ actor, params, body }) => {
    const { cols, rows } = body;
    const size = { ...(cols ? { columns: cols } : {}), ...(rows ? { rows } : {}) };
    const ticket = await createTicket(service, actor, {
      stackId: params.stack_id,
      ...targetOf(body),
      ...size,
    });
    const url = `/v3/alm/terminal?ticket=${ticket}`;
    const page = `/terminal?ticket=${ticket}`;
    return reply({ headers: noStore, body: { ticket, url, page, expires_in: ticketSeconds } });
  },
  forgetHostKey: async ({ actor, params }) => {
    await forgetHostKey(service, actor, { stackId: params.stack_id, instanceId: params.instance_id });
    return { status: 'success' };
  },
});
