import { useState } from 'react';
import { Button } from '../parts/acts/button.tsx';
import { Columns, Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Passkeys } from '../passkeys/own-passkeys.tsx';
import { useSession } from '../session/session.ts';
import { AccountCard } from './account-card.tsx';
import { Appearance } from './appearance.tsx';
import { ChangePassword } from './change-password.tsx';
import { SecondFactor } from './factor/second-factor.tsx';
import { OwnRights } from './own-rights.tsx';
import { RecentAccess } from './recent-access.tsx';
import { SignIns } from './sign-ins.tsx';
import { SignOut } from './sign-out.tsx';
import { PersonalTokens } from './tokens/personal-tokens.tsx';

const Me = () => {
  const { data: session } = useSession();
  const [leaving, setLeaving] = useState<'here' | 'everywhere' | null>(null);
  const user = session?.user;
  if (!user) return null;
  return (
    <Page
      title={user.name}
      about={user.master ? 'Master user of the account' : 'User of the account'}
      actions={
        <>
          <Button onClick={() => setLeaving('everywhere')}>Sign out everywhere</Button>
          <Button onClick={() => setLeaving('here')}>Sign out</Button>
        </>
      }
    >
      <Columns>
        <Stack>
          <OwnRights master={user.master} />
          <SignIns />
          <Passkeys />
          <PersonalTokens master={user.master} />
          {user.master && <RecentAccess />}
        </Stack>
        <Stack>
          <Appearance />
          <ChangePassword username={user.name} master={user.master} />
          <SecondFactor />
          <AccountCard />
        </Stack>
      </Columns>
      {leaving && <SignOut from={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
};

export default Me;
