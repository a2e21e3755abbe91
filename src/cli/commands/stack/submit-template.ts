import type { DocumentBody } from '../../../contract/route.ts';
import type { applyTemplate, updateTemplate } from '../../../contract/v3/templates.ts';
import type { Context } from '../../command.ts';

export const submitNew = ({ api, args }: Context, body: DocumentBody) => {
  const nickname = args.text('nickname');
  return api.call<typeof applyTemplate>('POST', '/v3/alm/template', {
    body,
    query: nickname === undefined ? {} : { nickname },
  });
};

export const submitUpdate = ({ api }: Context, stackId: string, body: DocumentBody) =>
  api.call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', {
    params: { stack_id: stackId },
    body,
  });
