import type { handOverSignIn } from '../../contract/v3/sign-in/hand-over.ts';
import { call } from '../api/call.ts';
import { Form } from '../parts/forms/form.tsx';
import { Card } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { useSession } from '../session/session.ts';

/** Where `alm login --browser` leads: the user who is signed in here signs the command line in, if they asked for it. */
const HandOver = () => {
  const { data: session } = useSession();
  const search = new URLSearchParams(location.search);
  const value = (name: string): string => search.get(name) ?? '';
  const submit = async (): Promise<void> => {
    const body = {
      redirect_uri: value('redirect_uri'),
      state: value('state'),
      code_challenge: value('code_challenge'),
    };
    const reply = await call<typeof handOverSignIn>('POST', '/v3/session/code', { body });
    location.assign(reply.location);
  };
  return (
    <Page title="Sign in the command line" about="alm login --browser">
      <Card>
        <Form submit="Sign in" onSubmit={submit}>
          <p>
            A program on this computer asks to act as <strong>{session?.user?.name}</strong>, for 12 hours.
            Continue only if you have just run <code>alm login --browser</code>. Otherwise close this page.
          </p>
        </Form>
      </Card>
    </Page>
  );
};

export default HandOver;
