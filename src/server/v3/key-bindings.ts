import * as keys from '../../contract/v3/keys.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { readPem } from '../../operations/ssh/pem-link.ts';
import { type Binding, bindFor, rawReply } from '../http/binding.ts';
import { answerKeyLink } from '../shared/key-link.ts';

const bind = bindFor<Actor>();

export const keyBindings = (service: Service): Binding<Actor>[] => [
  bind(keys.createKeyLink, ({ actor, query }) => answerKeyLink(service, actor, 'v3', query)),
  bind(keys.readKey, async ({ params }) => {
    const key = await readPem(service, params.secret);
    return rawReply({
      contentType: 'text/plain; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: key.reveal(),
    });
  }),
];
