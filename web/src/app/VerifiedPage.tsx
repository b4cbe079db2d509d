import { useEffect } from 'react';
import { PublicPage } from '~/features/signin/PublicPage';
import { wordsOfCode } from '~/session';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { tellVerdict } from './verified';

/** /welcome/verified: where the provider's window of a step-up ends. It tells the page that opened it. */
export function VerifiedPage() {
  const problem = new URLSearchParams(window.location.search).get('problem') ?? undefined;
  useEffect(() => tellVerdict({ problem }), [problem]);
  if (problem === undefined)
    return (
      <PublicPage title="Confirmed" lead="You can close this window.">
        {null}
      </PublicPage>
    );
  return (
    <PublicPage title="Not confirmed" lead="You can close this window and try again.">
      <ErrorNotice>{wordsOfCode(problem)}</ErrorNotice>
    </PublicPage>
  );
}
