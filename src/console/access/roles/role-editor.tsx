import { useState } from 'react';
import { useLocation } from 'wouter';
import type { listClients } from '../../../contract/v3/clients.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { useRead } from '../../api/read.ts';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field } from '../../parts/forms/field.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card, Stack } from '../../parts/page/card.tsx';
import { Page } from '../../parts/page/page.tsx';
import { MayThey } from '../explain/may-they.tsx';
import type { Person } from '../people.ts';
import { DeleteRole } from './delete-role.tsx';
import { type Drafting, type RoleDraft, useRoleDraft } from './drafts.ts';
import { heldBy } from './held-by.ts';
import { RehearsalCard } from './rehearsal-card.tsx';
import { type ChosenRehearsal, useRehearsalOf } from './rehearsal-of.ts';
import styles from './role-editor.module.css';
import { SaveRole, type Saving, saveCommand, useSaveRole } from './save-role.tsx';
import { ScopeCard } from './scope-card.tsx';
import { holdersOf } from './use-rehearsal.ts';

interface RoleEditorProps {
  roleId: string;
  saved: RoleDraft;
  isNew: boolean;
  people: readonly Person[];
}

/** Everyone whom a change of the role concerns. */
function useHolders(roleId: string, people: readonly Person[]): string[] {
  const { data: clients = [] } = useRead<typeof listClients>('/v3/client');
  return [
    ...holdersOf(roleId, people).map(({ username }) => username),
    ...clients.filter(({ roles }) => roles.includes(roleId)).map(({ label }) => label),
  ];
}

const Overtaken = ({ onDiscard }: { onDiscard: () => void }) => (
  <Card tone="warn">
    Another user saved this role after you began. Saving replaces their change; discard your draft to see it.{' '}
    <Button small onClick={onDiscard}>
      Discard draft
    </Button>
  </Card>
);

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <Card tone="warn" title="Saved, but probably not as intended">
    <ul>
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  </Card>
);

type Parts = RoleEditorProps & { drafting: Drafting; rehearsing: ChosenRehearsal; saving: Saving };

const Content = ({ roleId, isNew, saved, people, drafting, rehearsing, saving }: Parts) => {
  const { draft, isChanged, change, discard } = drafting;
  return (
    <Stack>
      {saving.error !== null && <ErrorCard error={saving.error} />}
      {saving.warnings.length > 0 && <Warnings warnings={saving.warnings} />}
      {isChanged && draft.basedOn !== saved.basedOn && <Overtaken onDiscard={discard} />}
      <div className={styles.columns}>
        <Stack>
          <Card>
            <Field
              label="Name of the role"
              value={draft.name}
              required
              onChange={(event) => change({ name: event.target.value })}
            />
          </Card>
          <ScopeCard text={draft.text} onChange={(text) => change({ text })} />
          <AsCommand command={saveCommand(isNew ? null : roleId, draft.name)} />
          <MayThey scope={draft.text} usernames={people.map(({ username }) => username)} />
        </Stack>
        <RehearsalCard rehearsing={rehearsing} people={people} />
      </div>
    </Stack>
  );
};

const Actions = ({ drafting, rehearsing, saving, isNew, onDelete }: Parts & { onDelete: () => void }) => (
  <>
    {!isNew && (
      <Button look="danger" onClick={onDelete}>
        Delete
      </Button>
    )}
    <Button off={drafting.isChanged ? undefined : 'There is nothing to discard'} onClick={drafting.discard}>
      Discard draft
    </Button>
    <SaveRole saving={saving} rehearsing={rehearsing} drafting={drafting} isNew={isNew} />
  </>
);

const aboutOf = (isNew: boolean, names: readonly string[]): string =>
  isNew ? 'It has no effect until it is attached to a user.' : `${heldBy(names)} · a change counts at once`;

export const RoleEditor = (props: RoleEditorProps) => {
  const { roleId, saved, isNew, people } = props;
  const drafting = useRoleDraft(roleId, saved);
  const names = useHolders(roleId, people);
  const rehearsing = useRehearsalOf({ roleId, text: drafting.draft.text, people });
  const saving = useSaveRole({ roleId, isNew, drafting });
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const parts = { ...props, drafting, rehearsing, saving };
  return (
    <Page
      title={drafting.draft.name || (isNew ? 'New role' : saved.name)}
      above={[{ to: addressOf(pages.roles), label: 'Roles' }]}
      about={aboutOf(isNew, names)}
      actions={<Actions {...parts} onDelete={() => setDeleting(true)} />}
    >
      <Content {...parts} />
      {deleting && (
        <DeleteRole
          roleId={roleId}
          name={saved.name}
          holders={names}
          onDeleted={() => navigate(addressOf(pages.roles))}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
};
