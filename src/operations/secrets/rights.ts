import { secretResource } from '../../model/actions.ts';
import type { Decision } from '../../model/decide-access.ts';
import type { SecretFacts } from '../../store/secrets/secrets.ts';
import { type Caller, decideFor, refuseUnlessAllowed } from '../access/permission.ts';

type SecretAction =
  | 'secret:describeSecrets'
  | 'secret:setSecret'
  | 'secret:useSecret'
  | 'secret:deleteSecret';

interface OwnedSecret {
  name: string;
  /** Who created it; a new one belongs to the caller. */
  owner: string | undefined;
}

export const ownedSecret = ({ name, created_by: owner }: SecretFacts): OwnedSecret => ({ name, owner });

const decideOnSecret = (caller: Caller, action: SecretAction, { name, owner }: OwnedSecret): Decision =>
  decideFor(caller, { action, resources: [secretResource(name)], owner });

export const maySeeSecretName = (caller: Caller, secret: OwnedSecret): boolean =>
  decideOnSecret(caller, 'secret:describeSecrets', secret).allowed;

/** Throws `forbidden` with the missing permission. */
export const requireOnSecret = (caller: Caller, action: SecretAction, secret: OwnedSecret): void =>
  refuseUnlessAllowed(action, decideOnSecret(caller, action, secret), secretResource(secret.name));
