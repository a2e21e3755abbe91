import { Failure, failureKinds } from '../../basics/failure.ts';
import { gatewayClientId } from '../../model/client-kinds.ts';
import { recordNow } from '../audit/audit.ts';
import type { Service } from '../service.ts';
import { type NamedSignIn, signInByName } from '../sign-in/sign-in-by-name.ts';
import type { TokenCaller } from '../sign-in/token-origin.ts';
import type { SshCaller } from './activity-log.ts';
import { runOnTarget } from './exec.ts';
import { chooseTarget, type SshTarget, type TargetRequest } from './target.ts';

/** Signs a user in to the ssh gateway. The key it returns is an ordinary access token. */
export const signInAtGateway = (
  service: Service,
  caller: TokenCaller,
  proof: Pick<NamedSignIn, 'login' | 'password' | 'otp'>,
): Promise<string> =>
  signInByName(service, caller, { ...proof, clientId: gatewayClientId, codeInPassword: true });

/** Clients send the key link they got here before. It is not followed; a link to another service is refused unread. */
export function refuseForeignKeyLink(service: Service, link: string | undefined): void {
  const prefix = `${service.settings.baseUrl}/v3/alm/pem/`;
  if (!link || (link.startsWith(prefix) && /^[0-9A-Za-z]{1,128}$/.test(link.slice(prefix.length)))) return;
  throw new Failure('invalid_request', 'The URL of the key is not a URL of this service', {
    description: `Omit it, or send the URL returned by GET /v3/alm/pem: ${prefix}…`,
  });
}

interface GatewayRun extends TargetRequest {
  ip: string;
  /** In base64. */
  script: string;
  /** The URL of the key that the client got before. */
  keyLink: string | undefined;
}

/** What the instance wrote, or why nothing ran there. */
interface GatewayOutput {
  host: string;
  output: Buffer;
}

const textOf = ({ message, description }: Failure): Buffer =>
  Buffer.from(`error: ${[message, description].filter(Boolean).join('. ')}\n`);

/** The response does not show that access was denied, so that it is recorded here. */
async function recordDenial(service: Service, caller: SshCaller, { stackId }: GatewayRun): Promise<void> {
  const { status } = failureKinds.forbidden;
  await recordNow(service, { ...caller, stackId, named: new Map(), readOnly: false, denied: true, status });
}

/** White space is removed first: a pattern that skips it takes time in the square of its length. */
function decodeScript(encoded: string): string {
  const base64 = encoded.replace(/\s/g, '');
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return Buffer.from(base64, 'base64').toString('utf8');
  const message = 'script must be base64-encoded';
  throw new Failure('invalid_request', message, { problems: [{ path: 'script', message }] });
}

const chooseGatewayTarget = async (service: Service, { actor }: SshCaller, run: GatewayRun) => {
  refuseForeignKeyLink(service, run.keyLink);
  return chooseTarget(service, actor, run);
};

const runDecoded = async (
  service: Service,
  session: { caller: SshCaller; target: SshTarget },
  script: string,
): Promise<GatewayOutput> => {
  const { stdout, stderr } = await runOnTarget(service, session, { script });
  return { host: session.target.host, output: Buffer.concat([stdout, stderr]) };
};

/**
 * Runs a script like `runOnInstance`, but a failure of the target becomes its output: existing clients stop at an error
 * response, before the other targets. A script that cannot be decoded is an error, once the target is known.
 */
export async function runAtGateway(
  service: Service,
  caller: SshCaller,
  run: GatewayRun,
): Promise<GatewayOutput> {
  const asOutput = async (error: unknown): Promise<GatewayOutput> => {
    if (!(error instanceof Failure)) throw error;
    if (error.denied) await recordDenial(service, caller, run);
    return { host: run.ip, output: textOf(error) };
  };
  const target = await chooseGatewayTarget(service, caller, run).catch(asOutput);
  if ('output' in target) return target;
  const script = decodeScript(run.script);
  return runDecoded(service, { caller, target }, script).catch(asOutput);
}
