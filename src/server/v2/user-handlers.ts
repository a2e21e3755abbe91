import type { userRoutes } from '../../contract/v2/users.ts';
import type { Actor } from '../../operations/access/access.ts';
import { describeUser } from '../../operations/access/users.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';

export const userHandlers = (service: Service): Handlers<typeof userRoutes, Actor> => ({
  describeUser: async ({ actor, query }) => {
    const { id, username, email } = await describeUser(service, actor, query.username);
    return { user_id: id, username, email, api_token: '' };
  },
});
