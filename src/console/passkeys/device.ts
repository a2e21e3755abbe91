import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { Refused } from '../api/failure.ts';

/** What browsers call the reasons, in words. Others are shown as they are. */
const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the browser was cancelled, or it took too long.',
  AbortError: 'No passkey was used: the browser was cancelled, or it took too long.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'The browser refuses passkeys on this page. Open the console at the URL of the service.',
};

function refused(error: unknown): Refused {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new Refused(reasons[name] ?? `The browser could not use a passkey: ${message}`);
}

/** The service makes the options, and the browser checks them. */
type Options = Readonly<Record<string, unknown>>;

export const isPossible = (): boolean => 'PublicKeyCredential' in window;

/** Has a device of the person sign the challenge. */
export const answerOf = (options: Options): Promise<AuthenticationResponseJSON> =>
  startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  }).catch((error: unknown) => {
    throw refused(error);
  });

/** Has a device of the person make a passkey. */
export const makePasskey = (options: Options): Promise<RegistrationResponseJSON> =>
  startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error: unknown) => {
    throw refused(error);
  });
