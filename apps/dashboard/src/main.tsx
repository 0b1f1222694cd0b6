import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/components.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client';
import { SessionGate } from './shell/session-gate';
import { ToastHost } from './components/toasts';
import { LinkPage, linkPageOf } from './features/auth/link-pages';
import { router } from './routes';
import { showTheme } from './lib/theme';
import { Tips } from './components/tooltips';
import { whenWoken } from './lib/user-activity';

const MOST_TRIES = 2;

showTheme();
const queries = new QueryClient({
  defaultOptions: {
    // Ignore the browser's offline state: the server may be on this machine or in the local network. A failed request
    // reports its error immediately and is not queued for later.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      // An API error is final; an outage may pass.
      retry: (count, error) =>
        count < MOST_TRIES && error instanceof ApiError && ['UNREACHABLE', 'UNAVAILABLE'].includes(error.code),
    },
  },
});

// Refetch what was not polled during inactivity, except what is read only on request.
whenWoken(() => void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isOnRequest !== true }));

function App() {
  const link = linkPageOf(location);
  return (
    <QueryClientProvider client={queries}>
      <ToastHost>
        {link ? (
          <LinkPage {...link} />
        ) : (
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        )}
        <Tips />
      </ToastHost>
    </QueryClientProvider>
  );
}

const place = document.getElementById('app');
if (!place) throw new Error('the page has no place for the app');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
