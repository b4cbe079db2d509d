import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, say } from '~/api';
import { Loaded } from '~/office';
import { Card, ToggleRow, toast } from '~/ui';
import { mailsQuery } from './queries';

type Mails = Schemas['MailPreferences'];

/** Which mails about closures one gets: kept on the server, because it sends them. */
export function MailsCard() {
  const queries = useQueryClient();
  const query = useQuery(mailsQuery);
  const save = useMutation({
    mutationFn: (body: Mails) => api.data('PUT /user/mails', { body }),
    onSuccess: saved => queries.setQueryData(mailsQuery.queryKey, saved),
    onError: error => toast(say('profile.mails', error), { tone: 'danger' }),
  });
  return (
    <Card title="Emails about closures" hint="Sent when a closure hasn't been confirmed for a while.">
      <Loaded query={query} operation="profile.mails" label="Loading emails" height={88}>
        {mails => (
          <>
            <ToggleRow
              label="My closures"
              hint="Ask me about the closures I am responsible for."
              isSelected={(save.isPending ? save.variables : mails).own_closures}
              isDisabled={save.isPending}
              onChange={on => save.mutate({ ...mails, own_closures: on })}
            />
            <ToggleRow
              label="Other unanswered closures"
              hint="Ask me about my organization's closures when nobody else has answered."
              isSelected={(save.isPending ? save.variables : mails).other_closures}
              isDisabled={save.isPending}
              onChange={on => save.mutate({ ...mails, other_closures: on })}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}
