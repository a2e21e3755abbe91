import { useEffect, useRef } from 'react';
import type { renewSession } from '../../contract/v3/sign-in/session.ts';
import { call } from '../api/call.ts';
import { now } from '../clock.ts';
import { reloadSession } from './session.ts';

const hour = 3_600_000;
/** Tokens last 12 hours, and can be renewed after one. */
const renewedBefore = 11 * hour;
const retriedAfter = hour / 6;
const signs = ['keydown', 'pointerdown', 'visibilitychange'] as const;

/** Renews the session while the user works. A failure is left to the next request. */
export function useRenewal(expiresAt: string | undefined): void {
  const triedAt = useRef(0);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const renew = (): void => {
      const isYoung = Date.parse(expiresAt) - now() > renewedBefore;
      if (document.hidden || isYoung || now() - triedAt.current < retriedAfter) return;
      triedAt.current = now();
      call<typeof renewSession>('POST', '/v3/session/renew').then(reloadSession, () => undefined);
    };
    for (const sign of signs) document.addEventListener(sign, renew);
    return () => {
      for (const sign of signs) document.removeEventListener(sign, renew);
    };
  }, [expiresAt]);
}
