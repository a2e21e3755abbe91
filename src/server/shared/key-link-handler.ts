import type { keyRoutes } from '../../contract/v3/keys.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { createPemLink } from '../../operations/ssh/pem-link.ts';
import { type Handlers, reply } from '../http/binding.ts';

type KeyHandlers = Handlers<typeof keyRoutes, Actor>;

/** All members are strings: existing clients decode the reply as a map of strings. */
export const keyLinkHandlers = (
  service: Service,
  language: 'v2' | 'v3',
): Pick<KeyHandlers, 'createKeyLink'> => ({
  createKeyLink: async ({ actor, query }) => {
    const key = { stackId: query.stack_id, flag: query.flag, language };
    const data = await createPemLink(service, actor, key);
    return reply({ headers: { 'cache-control': 'no-store' }, body: { status: 'success', data } });
  },
});
