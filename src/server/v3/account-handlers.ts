import { offsetTime } from '../../basics/clock.ts';
import type * as account from '../../contract/v3/account.ts';
import type { Actor } from '../../operations/access/access.ts';
import { describeOwnAccount } from '../../operations/accounts/describe-account.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

export const accountHandlers = (service: Service): Handlers<typeof account.accountRoutes, Actor> => ({
  describeAccount: async ({ actor }) => {
    const { id, name, createdAt, usage, quota } = await describeOwnAccount(service, actor);
    return { account_id: id, name, create_time: offsetTime(createdAt), usage, quota };
  },
});
