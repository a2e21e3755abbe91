import { Failure } from '../../basics/failure.ts';
import { gatewayClientId } from '../../model/client-kinds.ts';
import type { Service } from '../service.ts';
import { type NamedSignIn, signInByName } from '../sign-in/sign-in-by-name.ts';
import type { TokenCaller } from '../sign-in/token-origin.ts';

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
