import type { Route } from './route.ts';

const accessWords = {
  public: 'no authentication',
  agent: 'stack token, API client token or user token',
  self: 'any signed-in user',
  master: 'master only',
} as const;

/** Who may call the route, for people. */
export const accessOf = ({ access }: Route): string =>
  typeof access === 'string' ? accessWords[access] : `requires \`${access.action}\``;
