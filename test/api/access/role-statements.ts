import type { Json, ServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, type MadeUser } from './access-caller.ts';

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string[];
  Resource: string[];
  Condition?: object;
}

export const allow = (Action: string[], Resource = ['*']): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});
export const deny = (Action: string[], Resource = ['*']): Statement => ({ Effect: 'Deny', Action, Resource });

/** Makes users whose one role consists of the given statements, and shows what they see. */
export function rolesOn(almanac: ServedAlmanac) {
  const master = new AccessCaller(almanac);
  return {
    master,
    userWith: async (username: string, ...statements: Statement[]): Promise<MadeUser> => {
      const user = await master.makeUser(username);
      const scope = JSON.stringify({ version: '2017-05-05', Statement: statements });
      const role_id = await master.makeRole(`role of ${username}`, scope);
      await master.call('POST', '/v3/user/role', { json: { username, role_id } });
      return user;
    },
    listed: async (token: string): Promise<unknown[]> => {
      return (await almanac.call<Json[]>('GET', '/v3/alm/stack', { token })).body.map(
        (stack) => stack.stack_id,
      );
    },
  };
}
