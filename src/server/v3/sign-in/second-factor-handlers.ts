import { offsetTime } from '../../../basics/clock.ts';
import type { secondFactorRoutes } from '../../../contract/v3/sign-in/second-factor.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import {
  confirmEnrolment,
  describeSecondFactor,
  disableSecondFactor,
  enrolSecondFactor,
  resetSecondFactor,
} from '../../../operations/sign-in/second-factor.ts';
import { type Handlers, reply } from '../../http/binding.ts';
import { readProof } from '../input/proof.ts';

const noStore = { 'cache-control': 'no-store' };

export const secondFactorHandlers = (service: Service): Handlers<typeof secondFactorRoutes, Actor> => ({
  describeSecondFactor: async ({ actor }) => {
    const { enabledAt, recoveryCodesLeft } = await describeSecondFactor(service, actor);
    return {
      enabled: enabledAt !== null,
      enabled_time: enabledAt === null ? '' : offsetTime(enabledAt),
      recovery_codes_left: recoveryCodesLeft,
    };
  },
  enrolSecondFactor: async ({ actor, body, request }) => {
    const { secret, uri } = await enrolSecondFactor(service, actor, readProof(body, request));
    return reply({ headers: noStore, body: { secret: secret.reveal(), uri: uri.reveal() } });
  },
  confirmSecondFactor: async ({ actor, body, request }) => {
    const recovery_codes = await confirmEnrolment(service, actor, {
      otp: body.otp,
      address: request.address,
    });
    return reply({ headers: noStore, body: { status: 'success', recovery_codes } });
  },
  disableSecondFactor: async ({ actor, body, request }) => {
    await disableSecondFactor(service, actor, readProof(body, request));
    return { status: 'success' };
  },
  resetSecondFactor: async ({ actor, params }) => {
    await resetSecondFactor(service, actor, params.username);
    return { status: 'success' };
  },
});
