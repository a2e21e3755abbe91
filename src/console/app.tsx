import { useState, useSyncExternalStore } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useKeys } from './address/keys.ts';
import { addressOf, pages } from './address/pages.ts';
import { proofGate } from './api/proof-gate.ts';
import { FailedScreen } from './failed-screen.tsx';
import { Loading } from './parts/messages/empty.tsx';
import { ErrorCard } from './parts/messages/error-card.tsx';
import { Toast } from './parts/messages/toast.tsx';
import { loadedLater } from './parts/page/loaded-later.ts';
import { screens } from './screens.ts';
import { useRenewal } from './session/renewal.ts';
import { type Session, useKeptSession, useSession } from './session/session.ts';
import { SignInAgain } from './session/sign-in-again.tsx';
import { SignInScreen } from './session/sign-in-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { useAccountStream } from './stacks/account-stream.ts';

const Palette = loadedLater(() => import('./palette/palette.tsx'), { throws: true });
const ConfirmAgain = loadedLater(() => import('./me/confirm-again.tsx'), { throws: true });
const NotFound = loadedLater(() => import('./not-found.tsx'));
const KeysHelp = loadedLater(() => import('./shell/keys-help.tsx'), { throws: true });

const Screens = () => {
  const [path] = useLocation();
  return (
    <FailedScreen key={path}>
      <Switch>
        {screens.map(([page, Screen]) => (
          <Route key={page} path={page}>
            <Screen />
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </FailedScreen>
  );
};

type Overlay = 'palette' | 'keys' | null;

const SignedIn = ({ session, username }: { session: Session; username: string }) => {
  const [, navigate] = useLocation();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const isToProve = useSyncExternalStore(proofGate.watch, proofGate.isClosed);
  useAccountStream();
  useRenewal(session.expires_at);
  const close = (): void => setOverlay(null);
  useKeys({
    palette: () => setOverlay('palette'),
    help: () => setOverlay('keys'),
    create: () => navigate(addressOf(pages.newStack)),
    goStacks: () => navigate(addressOf(pages.stacks)),
    goData: () => navigate(addressOf(pages.data)),
    goRoles: () => navigate(addressOf(pages.roles)),
    goAudit: () => navigate(addressOf(pages.audit)),
    goUsers: () => navigate(addressOf(pages.users)),
  });
  return (
    <Shell session={session} onSearch={() => setOverlay('palette')}>
      <Screens />
      <FailedScreen key={overlay} onClose={close}>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'keys' && <KeysHelp onClose={close} />}
      </FailedScreen>
      <FailedScreen>{isToProve && <ConfirmAgain />}</FailedScreen>
      <SignInAgain username={username} />
      <Toast />
    </Shell>
  );
};

export const App = () => {
  const { data, error, refetch } = useSession();
  const session = useKeptSession(data);
  if (!session) {
    if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />;
    return <Loading what="the console" />;
  }
  if (session.user === null) return <SignInScreen ways={session.sign_in} />;
  return <SignedIn session={session} username={session.user.name} />;
};
