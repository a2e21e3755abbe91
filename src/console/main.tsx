import './theme/base.css';
import './theme/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { consolePath } from './api/base.ts';
import { queries } from './api/read.ts';
import { App } from './app.tsx';
import { after } from './clock.ts';
import { startPreferences } from './preferences.ts';
import { preloadScreen } from './screens.ts';
import { followOtherTabs, loadSession } from './session/session.ts';
import { finishSingleSignOn } from './session/single-sign-on.ts';
import { loadStackList } from './stacks/stack-list.ts';

/** After so many milliseconds, the page says that it is loading. */
const patience = 200;

startPreferences();
followOtherTabs();
for (const name of ['pointerover', 'focusin']) document.addEventListener(name, preloadPointedAt);

/** What the service is asked for before the first drawing: browsers with a session preload it, see console-files.ts. */
async function loadFirst(): Promise<void> {
  const screen = preloadScreen(location.pathname.slice(consolePath.length));
  const { user } = await loadSession();
  if (user) await Promise.all([screen, loadStackList()]);
}

/** Who points at a link will often follow it. */
function preloadPointedAt({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.origin !== location.origin || !link.pathname.startsWith(consolePath)) return;
  void preloadScreen(link.pathname.slice(consolePath.length));
}

async function start(place: HTMLElement): Promise<void> {
  await finishSingleSignOn();
  // Drawing once is faster than drawing without the data and again with them. Errors are shown by those who read.
  await Promise.race([
    loadFirst().catch(() => undefined),
    new Promise<void>((resolve) => after(patience, resolve)),
  ]);
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base={consolePath}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}

const place = document.getElementById('console');
if (place) void start(place);
