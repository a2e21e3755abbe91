import type { SuccessOf } from '../../../contract/route.ts';
import type { listClients } from '../../../contract/v3/clients.ts';

export type ApiClient = SuccessOf<typeof listClients>[number];
export type Kind = ApiClient['kind'];

/** A secret on its way from the reply to the dialog that shows it once. */
export interface NewSecret {
  title: string;
  id: string;
  secret: string;
}

/** The default is first: it gives a program no rights of its own. */
export const kinds: Readonly<Record<Kind, string>> = {
  'sign-in': 'Users sign in through it; it has no rights of its own',
  service: 'A program that may do what its roles allow; without a role nothing',
  agent: 'The agent of every stack of the account, on the routes of agents only',
  owner: 'Everything on v2 routes; its secret is worth as much as the account',
};
