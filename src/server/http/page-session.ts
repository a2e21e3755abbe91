import type { FastifyRequest } from 'fastify';
import type { AccessRules } from './admit.ts';
import { factsOf } from './input.ts';
import { tokenIn } from './session-cookie.ts';

interface PageRules<A> extends AccessRules<A> {
  /** Whether the server is overloaded. */
  isLate: () => boolean;
}

/** Whether the browser that opens a page has a session. It is not a call: the page itself asks for what it shows. */
export const hasSession =
  <A>(rules: PageRules<A>) =>
  async (request: FastifyRequest): Promise<boolean> => {
    // Nobody limits how often a page is opened, so an overloaded server does not look.
    if (rules.isLate()) return false;
    const token = rules.baseUrl ? tokenIn(request.headers.cookie ?? '', rules.baseUrl()) : '';
    try {
      return token !== '' && (await rules.authenticate(token, factsOf(request))) !== null;
    } catch {
      return false; // the requests of the page report what went wrong
    }
  };
