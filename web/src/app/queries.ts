import { QueryClient } from '@tanstack/react-query';
import { asFailure } from '~/api';

/** What nobody looks at is kept for 3600 s (specification section 7, Cache). */
const KEEP_MS = 3_600_000;

/** Server truth that is not streamed. Passing failures are asked again twice; a refusal is an answer. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: KEEP_MS,
      retry: (count, error) => count < 2 && asFailure(error).isPassing,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
