import type { describeServerConfig, updateServerConfig } from '../../../contract/v2/server-config.ts';
import type { deployCode, updateV2Stack } from '../../../contract/v2/stacks.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { finishChange } from '../stack/print-and-wait.ts';

/** A v2 stack has one container configuration, which has its own routes. */
export async function deployV2(
  context: Context,
  { image, ref }: { image: string | undefined; ref: string | undefined },
): Promise<number | void> {
  const { api, args } = context;
  if (image && ref) throw usageError('With API v2, --image and --ref cannot be used together.');
  const stackId = args.required('id');
  const params = { stack_id: stackId };
  const reply = await sendGuarded(context, (query) =>
    image
      ? api.call<typeof updateV2Stack>('PUT', '/v2/alm/stack/{stack_id}', {
          params,
          query,
          body: { configurations: { image } },
        })
      : api.call<typeof deployCode>('POST', '/v2/alm/stack/{stack_id}/code', {
          params,
          query,
          body: { method: 'git', branch: ref ?? '' },
        }),
  );
  return finishChange(context, reply, { stackId });
}

/** Adds a variable to the containers. */
export async function setVariableV2(
  context: Context,
  variable: { name: string; value: string },
): Promise<number | void> {
  const { api, args } = context;
  const stackId = args.required('id');
  const query = { stack_id: stackId };
  const { body } = await api.call<typeof describeServerConfig>('GET', '/v2/alm/serverconfig', { query });
  const others = body.environmentVariables.filter(({ name }) => name !== variable.name);
  const reply = await sendGuarded(context, (word) =>
    api.call<typeof updateServerConfig>('PUT', '/v2/alm/serverconfig', {
      query: word,
      body: { stack_id: stackId, envvars: [...others, variable] },
    }),
  );
  return finishChange(context, reply, { stackId });
}
