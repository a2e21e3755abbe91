import { offsetTime } from '../../../basics/clock.ts';
import type { handOverRoutes } from '../../../contract/v3/sign-in/hand-over.ts';
import type { passkeyRoutes } from '../../../contract/v3/sign-in/passkeys.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import { handOver } from '../../../operations/sign-in/hand-over.ts';
import {
  changePasskeyName,
  describePasskeys,
  removePasskey,
} from '../../../operations/sign-in/passkeys/passkeys.ts';
import { beginRegistration, finishRegistration } from '../../../operations/sign-in/passkeys/register.ts';
import { beginPasskeyProof, beginPasskeySignIn } from '../../../operations/sign-in/passkeys/sign-in.ts';
import { type Handlers, reply } from '../../http/binding.ts';
import { withoutExtensions } from '../input/credential.ts';

type PasskeyRow = Awaited<ReturnType<typeof describePasskeys>>[number];

const present = ({ id, name, created_at, last_used_at }: PasskeyRow) => ({
  passkey_id: id,
  name,
  create_time: offsetTime(created_at),
  last_used: last_used_at === null ? '' : offsetTime(last_used_at),
});

const once = <Body>(body: Body) => reply({ headers: { 'cache-control': 'no-store' }, body });

export const passkeyHandlers = (service: Service): Handlers<typeof passkeyRoutes, Actor> => ({
  beginPasskey: async ({ actor }) => once({ options: { ...(await beginRegistration(service, actor)) } }),
  addPasskey: async ({ actor, body: { name, credential }, setAuditDetail }) => {
    const added = { name, credential: withoutExtensions(credential) };
    const passkey_id = await finishRegistration(service, actor, added);
    setAuditDetail(`passkey ${name}`);
    return { status: 'success', passkey_id };
  },
  listPasskeys: async ({ actor, query }) =>
    (await describePasskeys(service, actor, query.username || null)).map(present),
  renamePasskey: async ({ actor, params: { passkey_id: id }, body: { name }, setAuditDetail }) => {
    await changePasskeyName(service, actor, { id, name });
    setAuditDetail(`passkey ${name}`);
    return { status: 'success', passkey_id: id };
  },
  deletePasskey: async ({ actor, params: { passkey_id } }) => {
    await removePasskey(service, actor, passkey_id);
    return { status: 'success', passkey_id };
  },
  beginPasskeySignIn: () => once({ options: { ...beginPasskeySignIn(service) } }),
  beginPasskeyProof: async ({ actor }) => once({ options: { ...(await beginPasskeyProof(service, actor)) } }),
});

export const handOverHandlers = (service: Service): Handlers<typeof handOverRoutes, Actor> => ({
  handOverSignIn: async ({ actor, body }) => {
    const { redirect_uri: redirectUri, state, code_challenge: codeChallenge } = body;
    return once({ location: await handOver(service, actor, { redirectUri, state, codeChallenge }) });
  },
});
