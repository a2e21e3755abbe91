import { useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { credentialRoutes, deleteVendorCredential } from '../../contract/v3/credentials.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Act } from '../parts/acts/button.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { NewCredential } from './new-credential.tsx';
import { isVendor, nameOf, type Vendor } from './vendors.ts';

type ListRoute = (typeof credentialRoutes)[0];
type Credential = SuccessOf<ListRoute>[string][number];
interface Chosen {
  vendor: string;
  credential: Credential;
}

const DeleteCredential = ({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) => {
  const { vendor, credential } = chosen;
  const remove = async (): Promise<void> => {
    await call<typeof deleteVendorCredential>('DELETE', '/v3/credentials/{vendor}', {
      params: { vendor },
      query: { credential_id: credential.id },
      body: {},
    });
    await readAgain('/v3/credentials');
    announce(`Deleted credential ${credential.id}`);
    onClose();
  };
  return (
    <Confirm
      title={`Delete credential ${credential.account || credential.id}`}
      consequences={[
        'The secret is deleted. Almanac cannot reach the cloud account with it any more.',
        'While a stack uses it, nothing is deleted: the answer names the stacks. Without the credential they could not be deleted.',
        'The key itself stays valid at the cloud: disable it there.',
      ]}
      act="Delete credential"
      command={`alm creds delete --vendor ${vendor} --key-id ${credential.id}`}
      onConfirm={remove}
      onClose={onClose}
    />
  );
};

interface ColumnParts {
  vendor: string;
  /** Whether the credentials belong to different clouds of the vendor. */
  hasClouds: boolean;
  onDelete: (chosen: Chosen) => void;
}

const columnsWith = ({ vendor, hasClouds, onDelete }: ColumnParts) => [
  { title: 'Account', cell: ({ account, id }: Credential) => <strong>{account || id}</strong> },
  { title: 'Id', cell: ({ id }: Credential) => <code>{id}</code> },
  ...(hasClouds ? [{ title: 'Cloud', cell: ({ authUrl }: Credential) => <code>{authUrl}</code> }] : []),
  { title: 'Changed', cell: ({ lastModified }: Credential) => <When at={lastModified} /> },
  {
    title: '',
    end: true,
    cell: (credential: Credential) => (
      <Act
        small
        action="cred:deleteCredential"
        aria-label={`Delete ${credential.id} of ${nameOf(vendor)}`}
        onClick={() => onDelete({ vendor, credential })}
      >
        Delete
      </Act>
    ),
  },
];

interface VendorsProps {
  all: SuccessOf<ListRoute>;
  add: React.ReactNode;
  onDelete: (chosen: Chosen) => void;
}

const ByVendor = ({ all, add, onDelete }: VendorsProps) => {
  const vendors = Object.entries(all).filter(([, list]) => list.length > 0);
  if (vendors.length === 0)
    return (
      <Empty title="No credentials" action={add} command="alm creds add --key-id <id> --account <name>">
        A credential is the key of an account at a cloud. Stacks name it, and Almanac uses it to create them.
      </Empty>
    );
  return (
    <Stack>
      {vendors.map(([vendor, list]) => (
        <Card key={vendor} flush title={nameOf(vendor)} aside={`${list.length}`}>
          <Table
            label={`Credentials of ${nameOf(vendor)}`}
            columns={columnsWith({
              vendor,
              hasClouds: list.some(({ authUrl }) => authUrl !== undefined),
              onDelete,
            })}
            rows={list}
            keyOf={({ id }) => id}
          />
        </Card>
      ))}
    </Stack>
  );
};

const firstVendor = (all: SuccessOf<ListRoute> | undefined): Vendor =>
  Object.keys(all ?? {}).find(isVendor) ?? 'aws';

const Credentials = () => {
  const credentials = useRead<ListRoute>('/v3/credentials');
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Chosen | null>(null);
  const add = (
    <Act look="main" action="cred:createCredential" onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add a credential
    </Act>
  );
  return (
    <Page
      title="Credentials"
      about="Keys of accounts at clouds. Secrets go in and never come out."
      actions={add}
    >
      <Answer of={credentials} what="the credentials">
        {(all) => <ByVendor all={all} add={add} onDelete={setDeleting} />}
      </Answer>
      {adding && <NewCredential vendor={firstVendor(credentials.data)} onClose={() => setAdding(false)} />}
      {deleting && <DeleteCredential chosen={deleting} onClose={() => setDeleting(null)} />}
    </Page>
  );
};

export default Credentials;
