import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { PasskeyRow } from '../../../store/access/passkeys.ts';

export type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** What browsers need to know of a passkey that exists. */
export const descriptorOf = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  // Only what browsers themselves reported is stored.
  transports: JSON.parse(transports) as AuthenticatorTransport[],
});

/** Loaded when it is first needed: many servers never see a passkey. */
export const webauthn = () => import('@simplewebauthn/server');
