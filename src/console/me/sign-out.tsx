import type { endOtherTokens } from '../../contract/v3/sign-in/own-tokens.ts';
import { call } from '../api/call.ts';
import { countDrafts } from '../editor/drafts-of.ts';
import { Form } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { signOut } from '../session/session.ts';

interface SignOutProps {
  from: 'here' | 'everywhere';
  onClose: () => void;
}

/** Ends the session in all tabs of this browser, and with it the drafts. */
export const SignOut = ({ from, onClose }: SignOutProps) => {
  const drafts = countDrafts();
  const submit = async (): Promise<void> => {
    if (from === 'everywhere') await call<typeof endOtherTokens>('DELETE', '/v3/token');
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
          <p>
            {drafts === 1
              ? 'The draft in this browser is deleted.'
              : `The ${drafts} drafts in this browser are deleted.`}{' '}
            Download or apply what you still need.
          </p>
        )}
      </Form>
    </Dialog>
  );
};
