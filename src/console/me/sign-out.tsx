import type { endOtherTokens } from '../../contract/v3/sign-in/own-tokens.ts';
import { call } from '../api/call.ts';
import { countDrafts, dropDrafts } from '../editor/drafts-of.ts';
import { Tick } from '../parts/forms/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { type Session, signOut } from '../session/session.ts';

interface SignOutProps {
  user: NonNullable<Session['user']>;
  from: 'here' | 'everywhere';
  onClose: () => void;
}

/** Ends the session in all tabs of this browser, and asks what happens to drafts. */
export const SignOut = ({ user, from, onClose }: SignOutProps) => {
  // Drafts of templates are kept under account and name.
  const owner = `${user.account_id}/${user.name}`;
  const drafts = countDrafts(owner);
  const submit = async (values: Values): Promise<void> => {
    if (from === 'everywhere') await call<typeof endOtherTokens>('DELETE', '/v3/token');
    if (values('drop')) dropDrafts(owner);
    await signOut();
  };
  return (
    <Dialog title={from === 'here' ? 'Sign out' : 'Sign out everywhere'} onClose={onClose}>
      <Form submit="Sign out" onSubmit={submit} onCancel={onClose}>
        <p>
          {from === 'here'
            ? 'All tabs of this browser are signed out.'
            : 'This browser and all other browsers and programs in which you are signed in are signed out. Personal access tokens stay.'}
        </p>
        {drafts > 0 && (
          <Tick
            name="drop"
            value="yes"
            label={
              drafts === 1 ? 'Delete my draft in this browser' : `Delete my ${drafts} drafts in this browser`
            }
            hint="Otherwise they wait here until you sign in again. Other people who use this browser could read them."
          />
        )}
      </Form>
    </Dialog>
  );
};
