import { Link } from 'wouter';
import { Table } from '../lists/table.tsx';
import { When } from '../parts/reading/when.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import { type Resource, tones } from './resource.ts';

interface Props {
  resources: readonly Resource[];
  addressOf: (resource: string) => string;
}

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const ResourcePill = ({ status }: Pick<Resource, 'status'>) => (
  <Pill tone={tones[status]}>{firstUpper(status)}</Pill>
);

/** The same as the picture, as a table. */
export const ResourceList = ({ resources, addressOf }: Props) => (
  <Table
    label="Resources"
    rows={resources}
    keyOf={({ name }) => name}
    columns={[
      {
        title: 'Resource',
        cell: ({ name }) => (
          <Link to={addressOf(name)} replace>
            {name}
          </Link>
        ),
      },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Layer', cell: ({ layer }) => layer ?? '–' },
      { title: 'Status', cell: ({ status }) => <ResourcePill status={status} /> },
      { title: 'Changed', cell: ({ status_changed_at: at }) => (at ? <When at={at} /> : '–') },
    ]}
  />
);
