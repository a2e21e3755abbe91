import type { listV2Stacks } from '../../../contract/v2/stacks.ts';
import type { listStacks as listV3Stacks } from '../../../contract/v3/stacks.ts';
import type { Run } from '../../command.ts';
import type { Table } from '../../view/table.ts';
import { tableTime } from '../../view/table.ts';

interface ListedStack {
  stack_id: string;
  nickname: string;
  stack_status: string;
  create_time: string;
  /** Stacks of API v2 do not say it here. */
  health?: string;
  vendor?: string;
  configuration: Readonly<Record<string, unknown>>;
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** A template has its vendor in an object, a v2 configuration in its credential. */
function platformOf({ configuration, vendor }: ListedStack): string {
  const [inTemplate] = membersOf(configuration.vendor);
  if (inTemplate) return inTemplate[0];
  return typeof configuration.AWS === 'string' && configuration.AWS !== '' ? 'aws' : (vendor ?? '?');
}

function regionOf({ configuration }: ListedStack): string {
  if (typeof configuration.region === 'string') return configuration.region;
  const [inTemplate] = membersOf(configuration.vendor);
  const found = membersOf(inTemplate?.[1]).find(([name]) => name === 'region')?.[1];
  return typeof found === 'string' ? found : '';
}

const tableOf = (stacks: readonly ListedStack[]): Table => ({
  priority: ['STACK NAME', 'STATUS', 'HEALTH', 'STACK ID', 'LAUNCHED', 'REGION'],
  header: ['STACK ID', 'STACK NAME', 'PLATFORM', 'STATUS', 'REGION', 'LAUNCHED', 'HEALTH'],
  rows: stacks.map((stack) => [
    stack.stack_id,
    stack.nickname,
    platformOf(stack),
    stack.stack_status,
    regionOf(stack),
    tableTime(stack.create_time),
    stack.health ?? '',
  ]),
});

export const listStacks: Run = async ({ api, out, system, version }) => {
  const { text, body } =
    version === 'v2'
      ? await api.call<typeof listV2Stacks>('GET', '/v2/alm/stack')
      : await api.call<typeof listV3Stacks>('GET', '/v3/alm/stack');
  await out.document(text, () => tableOf(body as readonly ListedStack[]));
  const other = version === 'v2' ? 'v3' : 'v2';
  // A hint for people only: scripts know the API version they use.
  if (body.length === 0 && system.stdoutIsTty)
    out.info(`No ${version} stacks. To list ${other} stacks: alm stack list --apiver ${other}`);
};
