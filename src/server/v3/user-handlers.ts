import { offsetTime } from '../../basics/clock.ts';
import { Secret } from '../../basics/secret.ts';
import type * as users from '../../contract/v3/users.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  createUser,
  describeUser,
  describeUsers,
  type ListedUser,
  removeUser,
} from '../../operations/access/users.ts';
import type { Service } from '../../operations/service.ts';
import { replacePassword } from '../../operations/sign-in/change-password.ts';
import type { Handlers } from '../http/binding.ts';
import { readProof } from './input/proof.ts';

const presentInList = (user: ListedUser) => ({
  user_id: user.id,
  username: user.username,
  email: user.email,
  master: user.master,
  create_time: offsetTime(user.createdAt),
  last_login: user.lastLoginAt === null ? '' : offsetTime(user.lastLoginAt),
});

const presentOne = ({ id, username, email }: ListedUser) => ({ user_id: id, username, email, api_token: '' });

export const userHandlers = (service: Service): Handlers<typeof users.userRoutes, Actor> => ({
  createUser: async ({ actor, body, query }) => {
    const { username, email = '' } = body;
    const user_id = await createUser(service, actor, {
      username,
      email,
      password: new Secret(body.password),
      takesRepositories: query.take_repositories,
    });
    return { status: 'success', user_id };
  },
  describeUsers: async ({ actor, query }) =>
    query.username
      ? presentOne(await describeUser(service, actor, query.username))
      : (await describeUsers(service, actor)).map(presentInList),
  deleteUser: async ({ actor, params }) => {
    await removeUser(service, actor, params.username);
    return { status: 'success' };
  },
  changePassword: async ({ actor, params, body, request }) => {
    await replacePassword(service, actor, {
      username: params.username,
      password: new Secret(body.password),
      ...readProof(body, request),
    });
    return { status: 'success' };
  },
});
