import { parseArgs } from 'node:util';
import { offsetTime } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { entryOf } from '../basics/entry-of.ts';
import { type KeepTools, keepLonger, listKept, removeKept } from '../vendors/docker/keep/kept-volumes.ts';
import type { KeptVolume } from '../vendors/docker/keep/record.ts';
import { table } from './account-text.ts';
import { keepToolsOf } from './keepers/volume-keeper.ts';

const text = { type: 'string' } as const;
const options = { json: { type: 'boolean' }, stack: text, account: text, days: text, confirm: text } as const;

export const volumesHelp = `Usage:
  almanac volumes list [--stack <id>] [--account <id>]
                                list the volumes that the docker vendor keeps of removed databases, Redis caches and shared files
  almanac volumes keep <volume> --days <n>
                                keep a volume for n days from now on; 0: for ever
  almanac volumes remove <volume> --confirm <volume>
                                remove a kept volume with its data, for ever

The commands work while servers run, on the container engine of this machine, and print JSON with --json. The server removes a volume
when its time is over; ALM_DOCKER_KEEP_DAYS is the time of volumes that are no longer used from then on. No command changes a volume
that a stack uses or that Almanac did not make.`;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });

interface Call {
  tools: KeepTools;
  /** The argument after the verb: the name of a volume. */
  volume: string;
  values: ReturnType<typeof parse>['values'];
}

const present = ({ volume, stackId, accountId, flag, engine, keptAt, until }: KeptVolume) => ({
  volume,
  stack_id: stackId,
  account_id: accountId,
  flag,
  engine,
  kept_time: offsetTime(keptAt),
  until: until === null ? null : offsetTime(until),
});

const print = ({ values }: Call, body: unknown, human: string): void =>
  void process.stdout.write(values.json ? `${JSON.stringify(body, null, 2)}\n` : `${human}\n`);

const endOf = ({ until }: KeptVolume): string => (until === null ? 'for ever' : `until ${offsetTime(until)}`);

const listText = (kept: readonly KeptVolume[]): string =>
  kept.length === 0
    ? 'No volume is kept.'
    : table([
        ['VOLUME', 'STACK', 'ACCOUNT', 'FLAG', 'ENGINE', 'KEPT SINCE', 'UNTIL'],
        ...kept.map((each) => {
          const { volume, stackId, accountId, flag, engine, keptAt, until } = each;
          const end = until === null ? 'for ever' : offsetTime(until);
          return [volume, stackId, accountId || '-', flag, engine, offsetTime(keptAt), end];
        }),
      ]);

async function list(call: Call): Promise<void> {
  const { stack, account } = call.values;
  const kept = (await listKept(call.tools)).filter(
    ({ stackId, accountId }) => stackId === (stack ?? stackId) && accountId === (account ?? accountId),
  );
  print(call, kept.map(present), listText(kept));
}

async function keep(call: Call): Promise<void> {
  const { days = '' } = call.values;
  if (!/^\d{1,5}$/.test(days))
    throw new Error('--days must be a whole number of days from 0 (for ever) to 99999.');
  const kept = await keepLonger(call.tools, call.volume, Number(days));
  print(call, present(kept), `Volume ${kept.volume} is kept ${endOf(kept)}.`);
}

async function remove(call: Call): Promise<void> {
  const { volume, values, tools } = call;
  if (values.confirm !== volume)
    throw new Error(
      `Its data will be lost. To remove the volume for ever, repeat its name: almanac volumes remove ${volume} --confirm ${volume}`,
    );
  const removed = await removeKept(tools, volume);
  print(call, { ...present(removed), state: 'removed' }, `Volume ${volume} is removed.`);
}

const verbs: Readonly<Record<string, (call: Call) => Promise<void>>> = { list, keep, remove };

export async function runVolumes(config: Config, args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [verb = '', volume = '', ...more] = positionals;
  const run = entryOf(verbs, verb);
  // Only `list` has no subject.
  if (!run || more.length > 0 || (verb === 'list') !== (volume === ''))
    throw new Error(
      'Usage: almanac volumes list, keep <volume> or remove <volume>. Run: almanac volumes --help',
    );
  const tools = keepToolsOf(config);
  if (!tools)
    throw new Error(`There is no container engine at ${config.docker.socket}. Set ALM_DOCKER_SOCKET.`);
  await run({ tools, volume, values });
}
