import { useState } from 'react';
import type { saveVendorCredential } from '../../contract/v3/credentials.ts';
import { call } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Field, Select } from '../parts/forms/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { formOf, type Vendor, vendors } from './vendors.ts';

async function save(vendor: Vendor, values: Values): Promise<string | undefined> {
  const roleArn = values('roleArn').trim();
  const authUrl = values('authUrl').trim();
  const { verified } = await call<typeof saveVendorCredential>('POST', '/v3/credentials/{vendor}', {
    params: { vendor },
    body: {
      credentials: {
        accessKeyId: values('id').trim(),
        secretKey: values('secret'),
        accountName: values('account').trim(),
        ...(roleArn ? { roleArn } : {}),
        ...(authUrl ? { authUrl } : {}),
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

const AuthUrl = ({ placeholder, onChange }: { placeholder: string; onChange: (url: string) => void }) => (
  <Field
    label="Address of the cloud (optional)"
    name="authUrl"
    placeholder={placeholder}
    hint="Keystone. Only clouds that the operator of the server lists; needed if there are several."
    onChange={(event) => onChange(event.target.value)}
  />
);

interface FieldsProps {
  vendor: Vendor;
  onId: (id: string) => void;
  onAuthUrl: (url: string) => void;
}

const Fields = ({ vendor, onId, onAuthUrl }: FieldsProps) => {
  const { id, secret, role, authUrl } = formOf(vendor);
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
      {role && <Field name="roleArn" {...role} />}
      {authUrl && <AuthUrl placeholder={authUrl.placeholder} onChange={onAuthUrl} />}
    </>
  );
};

const commandFor = (vendor: Vendor, id: string, authUrl: string): string =>
  `alm creds add --vendor ${vendor} --key-id ${id || '<id>'} --account <name>${
    formOf(vendor).authUrl && authUrl ? ` --auth-url ${authUrl}` : ''
  }`;

interface NewCredentialProps {
  /** The vendor to begin with. */
  vendor: Vendor;
  onClose: () => void;
}

export const NewCredential = ({ vendor: first, onClose }: NewCredentialProps) => {
  const [vendor, setVendor] = useState<Vendor>(first);
  const [id, setId] = useState('');
  const [authUrl, setAuthUrl] = useState('');
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
        <Fields vendor={vendor} onId={setId} onAuthUrl={setAuthUrl} />
        <p>A credential with the same id is replaced. The cloud checks the key when you save it.</p>
        <AsCommand command={commandFor(vendor, id.trim(), authUrl.trim())} />
      </Form>
    </Dialog>
  );
};
