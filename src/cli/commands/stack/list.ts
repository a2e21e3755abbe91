import type { listV2Stacks } from '../../../contract/v2/stacks.ts';
import type { listStacks as listV3Stacks } from '../../../contract/v3/stacks.ts';
import type { Run } from '../../command.ts';
import type { Table } from '../../view/table.ts';
import { tableTime } from '../../view/table.ts';

interface Listed {
  stack_id: string;
  nickname: string;
  stack_status: string;
  create_time: string;
  vendor?: string;
  configuration: Readonly<Record<string, unknown>>;
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** A template names its cloud in an object, v2 by the credential it keeps. */
function platformOf({ configuration, vendor }: Listed): string {
  const [inTemplate] = membersOf(configuration.vendor);
  if (inTemplate) return inTemplate[0];
  return typeof configuration.AWS === 'string' && configuration.AWS !== '' ? 'aws' : (vendor ?? '?');
}

function regionOf({ configuration }: Listed): string {
  if (typeof configuration.region === 'string') return configuration.region;
  const [inTemplate] = membersOf(configuration.vendor);
  const found = membersOf(inTemplate?.[1]).find(([name]) => name === 'region')?.[1];
  return typeof found === 'string' ? found : '';
}

const tableOf = (stacks: readonly Listed[]): Table => ({
  header: ['STACK ID', 'STACK NAME', 'PLATFORM', 'STATUS', 'REGION', 'LAUNCHED'],
  rows: stacks.map((stack) => [
    stack.stack_id,
    stack.nickname,
    platformOf(stack),
    stack.stack_status,
    regionOf(stack),
    tableTime(stack.create_time),
  ]),
});

export const listStacks: Run = async ({ api, out, system, version }) => {
  const { text, body } =
    version === 'v2'
      ? await api.call<typeof listV2Stacks>('GET', '/v2/alm/stack')
      : await api.call<typeof listV3Stacks>('GET', '/v3/alm/stack');
  await out.document(text, () => tableOf(body as readonly Listed[]));
  const other = version === 'v2' ? 'v3' : 'v2';
  // For people: a script knows what it asked for.
  if (body.length === 0 && system.stdoutIsTty)
    out.info(`There are none here. Those made with ${other}: alm stack list --apiver ${other}`);
};
