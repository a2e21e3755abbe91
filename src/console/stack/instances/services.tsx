import type { listContainers } from '../../../contract/v3/containers.ts';
import { useRead } from '../../api/read.ts';
import { Table } from '../../lists/table.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card } from '../../parts/page/card.tsx';
import { When } from '../../parts/reading/when.tsx';
import type { Tone } from '../../parts/status/status.ts';
import { Pill } from '../../parts/status/status-phase.tsx';
import type { StackNow } from '../data/stack-now.ts';

const toneOf = (status: string): Tone => {
  if (/complete|available|running|success/.test(status)) return 'good';
  return /fail|error/.test(status) ? 'bad' : 'work';
};

const Status = ({ status }: { status: string }) => <Pill tone={toneOf(status)}>{status || 'unknown'}</Pill>;

/** What the agents on the instances report. */
export const Containers = ({ stack }: { stack: StackNow }) => {
  const { data, error, refetch } = useRead<typeof listContainers>('/v3/alm/container', {
    query: { stack_id: stack.id },
  });
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <Card title="Containers" flush>
      <Table
        label="Containers"
        rows={data}
        keyOf={({ container_id, instance_id }) => `${instance_id} ${container_id}`}
        columns={[
          { title: 'Container', cell: ({ container_id }) => <code>{container_id}</code> },
          { title: 'Instance', cell: ({ instance_id }) => <code>{instance_id || '–'}</code> },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Reported', cell: ({ update_time }) => <When at={Number(update_time) * 1000} /> },
        ]}
      />
    </Card>
  );
};

export const Databases = ({ stack: { databases } }: { stack: StackNow }) =>
  databases.length === 0 ? null : (
    <Card title="Databases" flush>
      <Table
        label="Databases"
        rows={databases}
        keyOf={({ DBInstanceIdentifier }) => DBInstanceIdentifier}
        columns={[
          { title: 'Database', cell: ({ DBInstanceIdentifier }) => <code>{DBInstanceIdentifier}</code> },
          { title: 'State', cell: ({ DBInstanceStatus }) => <Status status={DBInstanceStatus} /> },
          { title: 'Engine', cell: ({ Engine, EngineVersion }) => `${Engine} ${EngineVersion}` },
          { title: 'Size', cell: (each) => `${each.DBInstanceClass} · ${each.AllocatedStorage} GB` },
          { title: 'Address', cell: ({ Endpoint }) => <code>{`${Endpoint.Address}:${Endpoint.Port}`}</code> },
        ]}
      />
    </Card>
  );

export const Caches = ({ stack: { caches } }: { stack: StackNow }) =>
  caches.length === 0 ? null : (
    <Card title="Caches" flush>
      <Table
        label="Caches"
        rows={caches}
        keyOf={({ CacheClusterId }) => CacheClusterId}
        columns={[
          { title: 'Cache', cell: ({ CacheClusterId }) => <code>{CacheClusterId}</code> },
          { title: 'State', cell: ({ CacheClusterStatus }) => <Status status={CacheClusterStatus} /> },
          { title: 'Engine', cell: ({ Engine }) => Engine },
          { title: 'Size', cell: ({ CacheNodeType }) => CacheNodeType },
          { title: 'Address', cell: ({ Endpoint }) => <code>{`${Endpoint.Address}:${Endpoint.Port}`}</code> },
        ]}
      />
    </Card>
  );
