import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { useStore } from '~/lib/store';
import { session, useSession } from '~/session';
import { appAlert } from './alerts';
import { Boundary } from './Boundary';
import { queries } from './queries';
import { router } from './router';
import { FirstPaint, Unreachable } from './screens';
import { linkQuestion } from './signInLink';
import { updateWaits } from './version';

const SessionDialogs = lazy(chunk(() => import('./SessionDialogs')));
const LinkPage = lazy(chunk(() => import('./LinkPage')));
const ToastRegion = lazyPart(() => import('~/ui/Toast'), 'ToastRegion');

/** The whole page. Routes are drawn once it is known whether somebody is signed in. */
export function App() {
  const state = useSession();
  const hasDialog = useHasDialog();
  const asksLink = useStore(linkQuestion, question => question !== undefined);
  return (
    <QueryClientProvider client={queries}>
      {state.phase === 'restoring' && (
        <Suspense fallback={<FirstPaint />}>{asksLink ? <LinkPage /> : <FirstPaint />}</Suspense>
      )}
      {state.phase === 'unreachable' && <Unreachable error={state.failure} onRetry={() => void session.retry()} />}
      {(state.phase === 'signedIn' || state.phase === 'signedOut') && <RouterProvider router={router} />}
      <Boundary>
        <Suspense fallback={null}>
          {hasDialog && <SessionDialogs />}
          <ToastRegion />
        </Suspense>
      </Boundary>
    </QueryClientProvider>
  );
}

/** Whether any of the windows stands that may stand over every screen; their code comes with the first. */
function useHasDialog(): boolean {
  const notice = useStore(session.alert, alert => alert !== undefined);
  const question = useStore(session.stepUp.question, reason => reason !== undefined);
  const locked = useStore(session.lock.locked);
  const alert = useStore(appAlert, one => one !== undefined);
  const update = useStore(updateWaits);
  return notice || question || locked || alert || update;
}
