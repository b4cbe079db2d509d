import { QueryClient } from '@tanstack/react-query';
import { asFailure } from '~/api';

/** Server truth that is not streamed. Passing failures are asked again twice; a refusal is an answer. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < 2 && asFailure(error).isPassing,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
