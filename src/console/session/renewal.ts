import { useEffect } from 'react';
import type { renewSession } from '../../contract/v3/sign-in/session.ts';
import { call } from '../api/call.ts';
import { now } from '../clock.ts';

const hour = 3_600_000;
const signs = ['keydown', 'pointerdown', 'visibilitychange'] as const;

/** Renews the session while the user works, at most once an hour. A failure is left to the next request. */
export function useRenewal(): void {
  useEffect(() => {
    let renewedAt = now();
    const renew = (): void => {
      if (document.hidden || now() - renewedAt < hour) return;
      renewedAt = now();
      call<typeof renewSession>('POST', '/v3/session/renew').catch(() => undefined);
    };
    for (const sign of signs) document.addEventListener(sign, renew);
    return () => {
      for (const sign of signs) document.removeEventListener(sign, renew);
    };
  }, []);
}
