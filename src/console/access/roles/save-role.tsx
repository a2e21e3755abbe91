import { useState } from 'react';
import { useLocation } from 'wouter';
import type { createRole, updateRole } from '../../../contract/v3/roles.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/acts/button.tsx';
import { word } from '../../parts/acts/command.ts';
import { useAttempt } from '../../parts/forms/form.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { accessChanged } from '../people.ts';
import type { Drafting } from './drafts.ts';
import { effectInWords } from './rehearsal.ts';
import type { ChosenRehearsal } from './rehearsal-of.ts';

interface Saved {
  roleId: string;
  isNew: boolean;
  drafting: Drafting;
}

export interface Saving {
  busy: boolean;
  error: unknown;
  warnings: readonly string[];
  save: () => void;
}

export function useSaveRole({ roleId, isNew, drafting: { draft, discard } }: Saved): Saving {
  const [, navigate] = useLocation();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { busy, error, run } = useAttempt(async () => {
    const body = { name: draft.name, scope: draft.text };
    const saved = isNew
      ? await call<typeof createRole>('POST', '/v3/role', { body })
      : await call<typeof updateRole>('PUT', '/v3/role/{role_id}', { params: { role_id: roleId }, body });
    await accessChanged();
    discard();
    setWarnings(saved.warnings ?? []);
    announce(isNew ? `Created role ${body.name}` : `Saved role ${body.name}`);
    if (isNew) navigate(addressOf(pages.role, { id: saved.role_id }));
  });
  return { busy, error, warnings, save: () => void run(undefined) };
}

interface SaveRoleProps {
  saving: Saving;
  rehearsing: ChosenRehearsal;
  drafting: Drafting;
  isNew: boolean;
}

function reasonNotTo({ saving, rehearsing, drafting, isNew }: SaveRoleProps): string | undefined {
  if (saving.busy) return 'Waiting for the server …';
  if (drafting.draft.name.trim() === '') return 'Give the role a name first';
  if (!isNew && !drafting.isChanged) return 'Nothing is changed';
  if (rehearsing.missing) return rehearsing.missing;
  if (rehearsing.error) return 'The draft has problems: see the rehearsal';
  if (!rehearsing.rehearsal) return 'Rehearsing on the requests of the past …';
  return undefined;
}

/** The same with `alm`, from a file with the scope. */
export const saveCommand = (roleId: string | null, name: string): string => {
  const act = roleId === null ? 'alm rbac create' : `alm rbac update --role-id ${roleId}`;
  return `${act} --name ${word(name.trim(), 'name')} --scope scope.json`;
};

/** Says what saving leads to. */
export const SaveRole = (props: SaveRoleProps) => {
  const { saving, rehearsing, drafting, isNew } = props;
  const { rehearsal, isEffect, days } = rehearsing;
  const effect = rehearsal && isEffect && drafting.isChanged ? ` — ${effectInWords(rehearsal, days)}` : '';
  return (
    <Button look="main" off={reasonNotTo(props)} onClick={saving.save}>
      {isNew ? 'Create role' : `Save${effect}`}
    </Button>
  );
};
