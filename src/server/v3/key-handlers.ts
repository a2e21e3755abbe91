import type * as keys from '../../contract/v3/keys.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { readPem } from '../../operations/ssh/pem-link.ts';
import { type Handlers, rawReply } from '../http/binding.ts';
import { keyLinkHandlers } from '../shared/key-link-handler.ts';

export const keyHandlers = (service: Service): Handlers<typeof keys.keyRoutes, Actor> => ({
  ...keyLinkHandlers(service, 'v3'),
  readKey: async ({ params, request }) => {
    const key = await readPem(service, params.secret, request);
    return rawReply({
      contentType: 'text/plain; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: key.reveal(),
    });
  },
});
