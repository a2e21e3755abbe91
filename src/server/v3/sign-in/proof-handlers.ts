import { offsetTime } from '../../../basics/clock.ts';
import { Secret } from '../../../basics/secret.ts';
import type { proofRoutes } from '../../../contract/v3/sign-in/proof.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import { proveSession } from '../../../operations/sign-in/prove-session.ts';
import type { Handlers } from '../../http/binding.ts';

export const proofHandlers = (service: Service): Handlers<typeof proofRoutes, Actor> => ({
  proveSession: async ({ actor, body, request: { address } }) => {
    const { current_password: password, otp } = body;
    const proof = { currentPassword: new Secret(password), otp: otp || null, address };
    return { proved_until: offsetTime(await proveSession(service, actor, proof)) };
  },
});
