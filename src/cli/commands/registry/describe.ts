import type { SuccessOf } from '../../../contract/route.ts';
import type { listRepositories } from '../../../contract/v3/registry/images.ts';
import { CliError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';
import { openOwnImage } from './open-registry.ts';

type Repository = SuccessOf<typeof listRepositories>[number];

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `31.5 MB`, as docker shows sizes. */
function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

const repositoryTable = (found: Repository) => ({
  header: ['REPO', 'SIZE', 'CREATED', 'VISIBILITY', 'TAGS', 'DESCRIPTION'],
  rows: [
    [
      found.repository,
      formatSize(found.size),
      tableTime(found.created_at),
      found.visibility,
      String(found.tag_count),
      found.description,
    ],
  ],
});

const tagsTable = ({ tags = {} }: Repository) => ({
  header: ['TAG', 'SIZE', 'DIGEST', 'PLATFORMS', 'PUSHED', 'BY', 'STACKS'],
  rows: Object.entries(tags).map(([tag, { size, digest, platforms, pushed_at, pushed_by, stacks }]) => [
    tag,
    formatSize(size),
    digest,
    platforms.join(','),
    tableTime(pushed_at ?? ''),
    pushed_by,
    stacks.map(({ nickname, stack_id }) => nickname || stack_id).join(','),
  ]),
});

export const describeImage: Run = async (given) => {
  const { context, name } = await openOwnImage(given);
  const { api, out } = context;
  const query = { targetKey: 'repository', targetValue: name } as const;
  const { text, body } = await api.call<typeof listRepositories>('GET', '/v3/alm/registry', { query });
  const [found] = body;
  if (!found) throw new CliError('notFound', `${name} not found.`);
  if (out.format !== 'table') return out.document(text);
  await out.table(repositoryTable(found));
  out.data('\n');
  await out.table(tagsTable(found));
};
