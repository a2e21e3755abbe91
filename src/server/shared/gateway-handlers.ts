import { Failure } from '../../basics/failure.ts';
import { pathPrefix } from '../../basics/net/path-prefix.ts';
import * as gateway from '../../contract/gateway.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { refuseForeignKeyLink, runAtGateway, signInAtGateway } from '../../operations/ssh/gateway.ts';
import { createTicket } from '../../operations/ssh/ticket.ts';
import { type Binding, bindAllFor, type Handlers, noBody, rawReply, reply } from '../http/binding.ts';
import { terminalFile, terminalPage } from '../terminal/files.ts';
import { gottyToken } from '../terminal/sockets.ts';

type GatewayHandlers = Handlers<typeof gateway.gatewayRoutes, Actor>;

const noStore = { 'cache-control': 'no-store' };

const pageHandlers = (
  service: Service,
): Pick<GatewayHandlers, 'terminalPage' | 'gatewayTtyPage' | 'terminalFile' | 'gatewayTtyToken'> => {
  const page = () => terminalPage(pathPrefix(service.settings.baseUrl));
  return {
    terminalPage: page,
    gatewayTtyPage: page,
    terminalFile: ({ params }) => terminalFile(params.file),
    gatewayTtyToken: ({ params }) =>
      rawReply({
        contentType: 'text/javascript; charset=utf-8',
        headers: noStore,
        body: `var gotty_auth_token = '${gottyToken(params.ticket)}';\n`,
      }),
  };
};

/** SSH gateway requests of existing clients, on the same operations as the v3 routes. */
const gatewayHandlers = (service: Service, hasConsole: boolean): GatewayHandlers => ({
  ...pageHandlers(service),
  gatewayGreet: ({ headers }) => {
    const vary = { vary: 'Accept' };
    if (hasConsole && headers.accept?.includes('text/html')) {
      const location = `${pathPrefix(service.settings.baseUrl)}/console/`;
      return reply<never>({ status: 303, headers: { ...vary, location }, body: noBody });
    }
    const contentType = 'text/plain; charset=utf-8';
    return rawReply({ contentType, headers: vary, body: 'Almanac. API reference: /docs\n' });
  },
  gatewayGreetPost: () => noBody,
  gatewayToken: async ({ body, request }) => {
    if (body.grant_type === 'hashpassword')
      throw new Failure('invalid_request', 'Password hashes are not supported; send the password');
    const { username: login, passwd: password } = body;
    const key = await signInAtGateway(service, request, { login, password, otp: body.otp || null });
    return reply({ headers: noStore, body: { key } });
  },
  gatewayTtyUrl: async ({ actor, body }) => {
    refuseForeignKeyLink(service, body.pem);
    const ticket = await createTicket(service, actor, { ...body, stackId: body.stackid });
    return reply({ headers: noStore, body: { tty_url: `${service.settings.baseUrl}/tty/${ticket}/` } });
  },
  gatewayExec: async ({ actor, body, request }) => {
    const { stack_id, ip = '', flag, vm_user: user, pem_url: keyLink } = body.target;
    const caller = { actor, route: gateway.gatewayExec, request };
    const run = { stackId: stack_id, ip, flag, user, keyLink, script: body.script };
    const { host, output } = await runAtGateway(service, caller, run);
    const outputs = [{ ip: host, out: output.toString('base64'), err: null }];
    return reply({ headers: noStore, body: { stack_id, outputs } });
  },
});

export const gatewayBindings = (service: Service, hasConsole: boolean): Binding<Actor>[] =>
  bindAllFor<Actor>()(gateway.gatewayRoutes, gatewayHandlers(service, hasConsole));
