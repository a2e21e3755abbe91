import './theme/base.css';
import './theme/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { consolePath } from './api/base.ts';
import { queries } from './api/read.ts';
import { App } from './app.tsx';
import { startPreferences } from './preferences.ts';
import { followOtherTabs } from './session/session.ts';
import { finishSingleSignOn } from './session/single-sign-on.ts';

startPreferences();
followOtherTabs();

async function start(place: HTMLElement): Promise<void> {
  await finishSingleSignOn();
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
