import limits from '@catalog/limits.json';
import { QueryClient } from '@tanstack/react-query';
import { asFailure } from '~/api';

const { staleMs, refreshMs, keepMs } = limits.lists;

/** Server truth that is not streamed. Passing failures are asked again twice; a refusal is an answer. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: staleMs.value,
      // What stays on the screen is read again every 30 min, and what nobody looks at kept for an hour (sections 7 and 9).
      refetchInterval: refreshMs.value,
      gcTime: keepMs.value,
      retry: (count, error) => count < 2 && asFailure(error).isPassing,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
