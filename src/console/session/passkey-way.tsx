import { loadedLater } from '../parts/page/loaded-later.ts';
import type { Session } from './session.ts';

const PasskeySignIn = loadedLater(() => import('../passkeys/sign-in.tsx'));

/** Where the service can use passkeys. */
export const PasskeyWay = ({ ways }: { ways: Session['sign_in'] | undefined }) =>
  ways?.passkeys_off === null ? <PasskeySignIn /> : null;
