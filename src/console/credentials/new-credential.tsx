import { useState } from 'react';
import type { saveVendorCredential } from '../../contract/v3/credentials.ts';
import { call } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { Button } from '../parts/button.tsx';
import { AsCommand } from '../parts/copy.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { announce } from '../parts/toast.tsx';
import { formOf, type Vendor, vendors } from './vendors.ts';

async function save(vendor: Vendor, values: Values): Promise<string | undefined> {
  const roleArn = values('roleArn').trim();
  const { verified } = await call<typeof saveVendorCredential>('POST', '/v3/credentials/{vendor}', {
    params: { vendor },
    body: {
      credentials: {
        accessKeyId: values('id').trim(),
        secretKey: values('secret'),
        accountName: values('account').trim(),
        ...(roleArn ? { roleArn } : {}),
      },
    },
  });
  await readAgain('/v3/credentials');
  return verified;
}

const Result = ({ verified, onClose }: { verified: string; onClose: () => void }) => (
  <Dialog title="The credential is saved" onClose={onClose}>
    <p>{verified}</p>
    <DialogActions>
      <Button look="main" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);

const RoleArn = () => (
  <Field
    label="Role of CloudFormation (optional)"
    name="roleArn"
    placeholder="arn:aws:iam::123456789012:role/almanac-cloudformation"
    hint="CloudFormation then creates resources with the rights of this role, and the key needs few."
  />
);

const Fields = ({ vendor, onId }: { vendor: Vendor; onId: (id: string) => void }) => {
  const { id, secret, role } = formOf(vendor);
  return (
    <>
      <Field
        label={id.label}
        name="id"
        placeholder={id.placeholder}
        required
        onChange={(event) => onId(event.target.value)}
      />
      <Field
        label={secret.label}
        name="secret"
        type="password"
        autoComplete="off"
        required
        hint={secret.hint}
      />
      <Field label="Name of the account" name="account" placeholder="shop" required />
      {role && <RoleArn />}
    </>
  );
};

interface NewCredentialProps {
  /** The vendor to begin with. */
  vendor: Vendor;
  onClose: () => void;
}

export const NewCredential = ({ vendor: first, onClose }: NewCredentialProps) => {
  const [vendor, setVendor] = useState<Vendor>(first);
  const [id, setId] = useState('');
  const [verified, setVerified] = useState<string | null>(null);
  if (verified !== null) return <Result verified={verified} onClose={onClose} />;
  const submit = async (values: Values): Promise<void> => {
    const answer = await save(vendor, values);
    if (answer !== undefined) return setVerified(answer);
    announce('Saved the credential');
    onClose();
  };
  return (
    <Dialog title="Add a credential" onClose={onClose}>
      <Form submit="Save credential" onSubmit={submit} onCancel={onClose}>
        <Select
          label="Cloud"
          value={vendor}
          onChange={(event) => setVendor(event.target.value as Vendor)}
          options={Object.entries(vendors).map(([value, { name }]) => ({ value, label: name }))}
          hint={formOf(vendor).about}
        />
        <Fields vendor={vendor} onId={setId} />
        <p>A credential with the same id is replaced. The cloud checks the key when you save it.</p>
        <AsCommand
          command={`alm creds add --vendor ${vendor} --key-id ${id.trim() || '<id>'} --account <name>`}
        />
      </Form>
    </Dialog>
  );
};
