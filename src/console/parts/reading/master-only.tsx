import type { ReactNode } from 'react';
import { useSession } from '../../session/session.ts';
import { Page } from '../page/page.tsx';
import { NotAllowed } from './answer.tsx';

interface MasterOnlyProps {
  title: string;
  /** What the page is for: "see the users of the account". */
  to: string;
  children: ReactNode;
}

/** For pages that no role can open. */
export const MasterOnly = ({ title, to, children }: MasterOnlyProps) => {
  const { data: session } = useSession();
  if (session?.user?.master) return children;
  return (
    <Page title={title}>
      <NotAllowed
        to={to}
        reason="Only the master user of the account manages users, roles, API clients and faults of the sandbox, and reads the audit log. No role allows it. Ask the master user to do it."
      />
    </Page>
  );
};
