import type { Static } from 'typebox';
import type { cloudReport, compareClouds as compareRoute } from '../../../contract/v3/cloud/portability.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { type InputFile, readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import type { Table } from '../../view/table.ts';

type Cloud = Static<typeof cloudReport>;
type Row = Cloud['rows'][number];

/** Shows what a template would become on another cloud, or on every cloud. */
export async function compareClouds(context: Context): Promise<void> {
  const { api, args, out } = context;
  if (args.text('id') !== undefined)
    throw usageError('--vendor and --id exclude each other.', 'A stack cannot move to another cloud.');
  const file = await readInputFile(context, 'alm-template');
  const body = asDocument(file);
  const {
    vendor = 'all',
    region,
    cred,
  } = Object.fromEntries(['vendor', 'region', 'cred'].map((name) => [name, args.text(name)]));
  const query = { vendor, ...(region ? { region } : {}), ...(cred ? { cred } : {}) };
  const { text, body: reply } = await withFilePositions(file, () =>
    api.call<typeof compareRoute>('POST', '/v3/alm/template/portability', { body, query }),
  );
  const { clouds } = reply;
  const [only, ...more] = clouds;
  const isOne = only !== undefined && more.length === 0;
  await out.document(text, () => (isOne ? cloudTable(only) : cloudsTable(clouds)));
  if (out.format === 'table') {
    const notes = await notesTable(file, clouds, isOne ? () => true : isRefusalOrChange);
    if (notes.rows.length > 0) {
      out.data('\n');
      await out.table(notes);
    }
  }
  for (const { vendor: name, notes } of clouds) for (const note of notes) out.info(`${name}: ${note}`);
}

const becomesText = ({ becomes }: Row): string =>
  becomes.map(({ resource_type: type, count }) => (count === 1 ? type : `${count} ${type}`)).join(', ');

const cloudTable = ({ rows }: Cloud): Table => ({
  header: ['MEMBER', 'NAME', 'RESULT', 'BECOMES'],
  rows: rows.map((row) => [row.member, row.name, row.result, becomesText(row)]),
});

/** One line for each member, one column for each cloud. */
function cloudsTable(clouds: readonly Cloud[]): Table {
  const members = clouds.find(({ rows }) => rows.length > 0)?.rows ?? [];
  const resultOn = ({ rows }: Cloud, { member, name }: Row): string =>
    rows.find((row) => row.member === member && row.name === name)?.result ?? '-';
  return {
    header: ['MEMBER', 'NAME', ...clouds.map(({ vendor }) => vendor.toUpperCase())],
    rows: [
      ...members.map((row) => [row.member, row.name].concat(clouds.map((cloud) => resultOn(cloud, row)))),
      ['ALL', '', ...clouds.map(({ result }) => result)],
    ],
  };
}

type Note = Row['notes'][number];

const isRefusalOrChange = ({ kind }: Note): boolean => kind === 'refused' || kind === 'change';

async function notesTable(
  file: InputFile,
  clouds: readonly Cloud[],
  isShown: (note: Note) => boolean,
): Promise<Table> {
  const { positionsIn } = await import('../../files/locate-problems.ts');
  const positionOf = positionsIn(file);
  const placeOf = (path: string): string => {
    const position = positionOf(path);
    return position ? `${file.name}:${position.line}:${position.col}` : path;
  };
  return {
    header: ['VENDOR', 'NOTE', 'PLACE', 'MESSAGE'],
    rows: clouds.flatMap(({ vendor, rows }) =>
      rows
        .flatMap(({ notes }) => notes)
        .filter(isShown)
        .map(({ kind, path, message }) => [vendor, kind, placeOf(path), message]),
    ),
  };
}
