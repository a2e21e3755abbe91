import { Failure } from '../../basics/failure.ts';
import * as gateway from '../../contract/gateway.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { runOnInstance } from '../../operations/ssh/exec.ts';
import { refuseForeignKeyLink, signInAtGateway } from '../../operations/ssh/gateway.ts';
import { createTicket } from '../../operations/ssh/ticket.ts';
import { type Binding, bindFor, noBody, rawReply, reply } from '../http/binding.ts';
import { terminalFile, terminalPage } from '../terminal/files.ts';
import { gottyToken } from '../terminal/sockets.ts';

const bind = bindFor<Actor>();
const noStore = { 'cache-control': 'no-store' };

function decodeScript(base64: string): string {
  if (/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) return Buffer.from(base64, 'base64').toString('utf8');
  const message = 'script must be written in base64';
  throw new Failure('invalid_request', message, { problems: [{ path: 'script', message }] });
}

const pages = (service: Service): Binding<Actor>[] => {
  const page = () => terminalPage(new URL(service.settings.baseUrl).pathname.replace(/\/$/, ''));
  return [
    bind(gateway.terminalPage, page),
    bind(gateway.ttyPage, page),
    bind(gateway.terminalFile, ({ params }) => terminalFile(params.file)),
    bind(gateway.ttyToken, ({ params }) =>
      rawReply({
        contentType: 'text/javascript; charset=utf-8',
        headers: noStore,
        body: `var gotty_auth_token = '${gottyToken(params.ticket)}';\n`,
      }),
    ),
  ];
};

/** The calls of the ssh gateway that existing clients make, on the same operations as ours. */
export const gatewayBindings = (service: Service): Binding<Actor>[] => [
  ...pages(service),
  bind(gateway.greet, () =>
    rawReply({
      contentType: 'text/plain; charset=utf-8',
      body: 'Almanac. The interface is described at /docs\n',
    }),
  ),
  bind(gateway.greetPost, () => noBody),
  bind(gateway.gatewayToken, async ({ body }) => {
    if (body.grant_type === 'hashpassword')
      throw new Failure('invalid_request', 'A hash of the password is not taken; send the password');
    const key = await signInAtGateway(service, body.username, body.passwd);
    return reply({ headers: noStore, body: { key } });
  }),
  bind(gateway.ttyUrl, async ({ actor, body }) => {
    refuseForeignKeyLink(service, body.pem);
    const ticket = await createTicket(service, actor, { ...body, stackId: body.stackid });
    return reply({ headers: noStore, body: { tty_url: `${service.settings.baseUrl}/tty/${ticket}/` } });
  }),
  bind(gateway.gatewayExec, async ({ actor, body, request }) => {
    const { stack_id, ip, flag, vm_user: user, pem_url } = body.target;
    refuseForeignKeyLink(service, pem_url);
    const caller = { actor, route: gateway.gatewayExec, request };
    const asked = { stackId: stack_id, ip, flag, user, script: decodeScript(body.script) };
    const { target, stdout, stderr } = await runOnInstance(service, caller, asked);
    const out = Buffer.concat([stdout, stderr]).toString('base64');
    return reply({ headers: noStore, body: { stack_id, outputs: [{ ip: target.host, out, err: null }] } });
  }),
];
