import type { SuccessOf } from '../../../contract/route.ts';
import type { describeAutomatic, setAutomatic } from '../../../contract/v3/automatic/state.ts';
import type { Context, Run } from '../../command.ts';
import { type Table, tableTime } from '../../view/table.ts';

type State = SuccessOf<typeof describeAutomatic>;

const path = '/v3/alm/stack/{stack_id}/automatic';

const shortDigest = (digest: string): string => digest.slice(0, 'sha256:'.length + 12);

const tableOf = ({ layers }: State): Table => ({
  header: ['LAYER', 'FOLLOWS', 'DIGEST', 'WOULD HAVE DEPLOYED', 'IMAGE'],
  rows: layers.map(({ flag, track, digest, would_have_deployed: missed, image }) => [
    flag,
    track,
    shortDigest(digest),
    missed ? `${missed.tag} ${shortDigest(missed.digest)} ${tableTime(missed.at)}` : '',
    image,
  ]),
});

/** What the table has no place for. */
function sayRest({ out }: Context, state: State): void {
  const { paused, paused_by: by, paused_at: at, deploy_hook: hasHook, last_version: last } = state;
  out.info(paused ? `Paused by ${by} since ${tableTime(at ?? '')}.` : 'Not paused.');
  out.info(hasHook ? 'It has a deploy hook.' : 'It has no deploy hook.');
  if (last)
    out.info(`Last automatic version: ${last.version_id}, ${tableTime(last.created_at)}: ${last.cause}`);
}

async function print(context: Context, { text, body }: { text: string; body: State }): Promise<void> {
  await context.out.document(text, () => tableOf(body));
  sayRest(context, body);
}

const paramsOf = ({ args }: Context) => ({ stack_id: args.required('id') });

export const showAutomatic: Run = async (context) =>
  print(
    context,
    await context.api.call<typeof describeAutomatic>('GET', path, { params: paramsOf(context) }),
  );

const set =
  (paused: boolean): Run =>
  async (context) => {
    const request = { params: paramsOf(context), body: { paused } };
    await print(context, await context.api.call<typeof setAutomatic>('PUT', path, request));
  };

export const pauseAutomatic = set(true);
export const resumeAutomatic = set(false);
