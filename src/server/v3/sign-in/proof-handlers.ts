import { offsetTime } from '../../../basics/clock.ts';
import type { proofRoutes } from '../../../contract/v3/sign-in/proof.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import { proveWithPasskey } from '../../../operations/sign-in/passkeys/sign-in.ts';
import { proveSession } from '../../../operations/sign-in/prove-session.ts';
import type { Handlers } from '../../http/binding.ts';
import { withoutExtensions } from '../input/credential.ts';
import { readProof } from '../input/proof.ts';

export const proofHandlers = (service: Service): Handlers<typeof proofRoutes, Actor> => ({
  proveSession: async ({ actor, body, request, setAuditDetail }) => {
    const { passkey } = body;
    if (passkey === undefined)
      return { proved_until: offsetTime(await proveSession(service, actor, readProof(body, request))) };
    const answer = { credential: withoutExtensions(passkey), address: request.address };
    const until = await proveWithPasskey(service, actor, answer);
    setAuditDetail('with a passkey');
    return { proved_until: offsetTime(until) };
  },
});
