import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useStore } from '~/lib/store';
import { session, useSession } from '~/session';
import { queries } from './queries';
import { router } from './router';
import { Restoring, Unreachable } from './screens';

const SessionDialogs = lazy(() => import('./SessionDialogs'));
const ToastRegion = lazy(() => import('~/ui/Toast').then(module => ({ default: module.ToastRegion })));

/** The whole page. Routes are drawn once it is known whether somebody is signed in. */
export function App() {
  const state = useSession();
  const hasAlert = useStore(session.alert, alert => alert !== undefined);
  return (
    <QueryClientProvider client={queries}>
      {state.phase === 'restoring' && <Restoring />}
      {state.phase === 'unreachable' && <Unreachable error={state.failure} onRetry={() => void session.retry()} />}
      {(state.phase === 'signedIn' || state.phase === 'signedOut') && <RouterProvider router={router} />}
      <Suspense fallback={null}>
        {hasAlert && <SessionDialogs />}
        <ToastRegion />
      </Suspense>
    </QueryClientProvider>
  );
}
