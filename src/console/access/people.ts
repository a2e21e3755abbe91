import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { SuccessOf } from '../../contract/route.ts';
import type { listRoles } from '../../contract/v3/roles.ts';
import type { listRolesOfUser } from '../../contract/v3/user-roles.ts';
import type { describeUsers } from '../../contract/v3/users.ts';
import { call } from '../api/call.ts';
import { queries, readAgain, useRead } from '../api/read.ts';

export type Role = SuccessOf<typeof listRoles>[number];
type User = Extract<SuccessOf<typeof describeUsers>, readonly unknown[]>[number];

export interface Person extends User {
  roles: readonly Role[];
}

const key = ['users with roles'];
/** The service has no list of who has which role, so the roles of each user are asked for, a few at a time. */
const atOnce = 6;

const rolesOf = (username: string): Promise<Role[]> =>
  call<typeof listRolesOfUser>('GET', '/v3/user/{username}/role', { params: { username } });

async function readPeople(): Promise<Person[]> {
  const users = (await call<typeof describeUsers>('GET', '/v3/user', { query: {} })) as User[];
  const people: Person[] = [];
  for (let first = 0; first < users.length; first += atOnce) {
    const some = users.slice(first, first + atOnce);
    const roles = await Promise.all(some.map(({ username }) => rolesOf(username)));
    for (const [index, user] of some.entries()) people.push({ ...user, roles: roles[index] ?? [] });
  }
  return people;
}

/** All users of the account with their roles. For the master only. */
export const usePeople = (): UseQueryResult<Person[]> => useQuery({ queryKey: key, queryFn: readPeople });

export const useRoles = (): UseQueryResult<Role[]> => useRead<typeof listRoles>('/v3/role');

/** After a change of users or roles: what others may do changes with it. */
export async function accessChanged(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: key }),
    queries.invalidateQueries({ queryKey: ['explain'] }),
    readAgain('/v3/role'),
    readAgain('/v3/client'),
    readAgain('/v3/session/permissions'),
  ]);
}
