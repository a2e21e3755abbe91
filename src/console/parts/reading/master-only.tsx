import type { ReactNode } from 'react';
import { useSession } from '../../session/session.ts';
import { Page } from '../page.tsx';
import { NotAllowed } from './answer.tsx';

interface MasterOnlyProps {
  title: string;
  /** What the page is about: "the users of the account". */
  what: string;
  children: ReactNode;
}

/** For pages that no role can open. */
export const MasterOnly = ({ title, what, children }: MasterOnlyProps) => {
  const { data: session } = useSession();
  if (session?.user?.master) return children;
  return (
    <Page title={title}>
      <NotAllowed
        what={what}
        reason="Only the master user of the account manages users, roles and API clients and reads the audit log. No role allows it."
      />
    </Page>
  );
};
