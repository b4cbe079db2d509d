import { useQuery } from '@tanstack/react-query';
import { api } from '~/api';
import { resource } from './resource';

/** The assets as their administrators see them, with their profiles; what they do just now is the live store's. */
export const things = resource('thing', {
  list: 'GET /organization/things',
  one: 'GET /things/{id}',
  fits: row => !row.is_deleted,
});

/** The organizations that a user or an asset can be put into. */
export const useAssignable = () =>
  useQuery({
    queryKey: ['assignable'],
    queryFn: ({ signal }) => api.data('GET /organization/assignable', { signal }),
  }).data ?? [];
