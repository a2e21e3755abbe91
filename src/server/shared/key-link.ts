import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { createPemLink } from '../../operations/ssh/pem-link.ts';
import { reply } from '../http/binding.ts';

/** Texts only: existing clients decode the answer as a map of texts. */
export async function answerKeyLink(
  service: Service,
  actor: Actor,
  language: 'v2' | 'v3',
  query: { stack_id: string; flag?: string | undefined },
) {
  const asked = { stackId: query.stack_id, flag: query.flag, language };
  const data = await createPemLink(service, actor, asked);
  return reply({ headers: { 'cache-control': 'no-store' }, body: { status: 'success', data } });
}
