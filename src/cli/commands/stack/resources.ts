import type { SuccessOf } from '../../../contract/route.ts';
import type { listV2Resources } from '../../../contract/v2/stacks.ts';
import type { listResources } from '../../../contract/v3/cloud/resources.ts';
import type { Context, Run } from '../../command.ts';

type Resource = SuccessOf<typeof listResources>['resources'][number];

const call = ({ api, version }: Context, stackId: string) => {
  const input = { params: { stack_id: stackId } };
  return version === 'v3'
    ? api.call<typeof listResources>('GET', '/v3/alm/stack/{stack_id}/resources', input)
    : api.call<typeof listV2Resources>('GET', '/v2/alm/stack/{stack_id}/resources', input);
};

/** Marks what the version no longer has. */
const statusOf = ({ status, leaving }: Resource): string => (leaving ? `${status} (leaving)` : status);

export const showResources: Run = async (context) => {
  const { text, body } = await call(context, context.args.required('id'));
  await context.out.document(text, () => ({
    priority: ['NAME', 'STATUS', 'KIND', 'ID'],
    header: ['NAME', 'KIND', 'TYPE', 'LAYER', 'STATUS', 'ID', 'DEPENDS ON'],
    rows: body.resources.map((resource) => [
      resource.name,
      resource.kind,
      resource.type,
      resource.layer ?? '',
      statusOf(resource),
      resource.physical_id ?? '',
      resource.depends_on.join(' '),
    ]),
  }));
  for (const { name, status, status_reason: reason } of body.resources)
    if (status === 'failed') context.out.warn(`${name}: ${reason}`);
};
