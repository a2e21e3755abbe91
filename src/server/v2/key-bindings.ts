import { createKeyLink } from '../../contract/v2/keys.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { answerKeyLink } from '../shared/key-link.ts';

const bind = bindFor<Actor>();

export const keyBindings = (service: Service): Binding<Actor>[] => [
  bind(createKeyLink, ({ actor, query }) => answerKeyLink(service, actor, 'v2', query)),
];
