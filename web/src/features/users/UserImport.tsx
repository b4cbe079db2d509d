import { Download } from 'lucide-react';
import { saveFile } from '~/lib/saveFile';
import { countOf } from '~/model/format';
import { CsvPick, type CsvPreview, Permitted, useCsvImport } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, ErrorNotice, FormFoot, Notice, OfficePage, PageHead } from '~/ui';
import type { Role } from './member';
import { ToUsers } from './parts';
import { type UserImport as Result, useRoles, useUserMutations } from './queries';
import { UserImportDone } from './UserImportDone';
import { UserImportRows } from './UserImportRows';
import styles from './users.module.css';

/** The word in place of an id for the import's page. */
export const IMPORT = 'import';

/** The columns of such a file. */
export const COLUMNS = ['email', 'first_name', 'last_name', 'role'] as const;

/** An empty file to fill in; the mark at its begin makes spreadsheets read it as UTF-8. */
const template = () => saveFile(new Blob([`\ufeff${COLUMNS.join(',')}\r\n`], { type: 'text/csv' }), 'users.csv');

const NO_ROLES: readonly Role[] = [];

/** A CSV file becomes invitations: first who would be invited, row by row, then those. */
export function UserImport() {
  const roles = useRoles() ?? NO_ROLES;
  const labels = roles.map(role => role.label).join(', ');
  return (
    <OfficePage>
      <PageHead
        back={<ToUsers />}
        title="Import users"
        sentence={`Upload a CSV to see whom it would invite before anyone is.${labels && ` Roles: ${labels}.`}`}
      />
      <Permitted may={useMay('ADD_USER')}>
        <Steps roles={roles} />
      </Permitted>
    </OfficePage>
  );
}

function Steps({ roles }: { roles: readonly Role[] }) {
  const { id } = useOrganization();
  const mutations = useUserMutations();
  const steps = useCsvImport((csv, digest) => mutations.importCsv(id, csv, digest));
  const { done, preview, failure, isPending } = steps;
  if (done) return <UserImportDone result={done} roles={roles} onAnother={steps.again} />;
  return (
    <>
      <CsvPick onPick={file => void steps.look(file)} isPending={isPending && !preview} again={!!preview}>
        <Button icon={<Download size={16} strokeWidth={1.75} aria-hidden="true" />} onPress={template}>
          Download template
        </Button>
      </CsvPick>
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      {preview && (
        <Look preview={preview} roles={roles} isPending={isPending} onApply={() => void steps.apply(preview)} />
      )}
    </>
  );
}

interface LookProps {
  preview: CsvPreview<Result>;
  roles: readonly Role[];
  isPending: boolean;
  onApply: () => void;
}

function Look({ preview, roles, isPending, onApply }: LookProps) {
  const { invite, unchanged, refused, invitations, rows } = preview.result;
  return (
    <div className={styles.preview}>
      <p className={styles.summary} role="status">
        <b>{preview.name}</b>: {invite} to invite, {unchanged} already here
        {refused > 0 && `, ${refused} with errors`}.
      </p>
      {refused > 0 && (
        <ErrorNotice>
          {invite > 0
            ? `${countOf(refused, 'row')} with errors will be left out. Invite the others now, or fix the file and upload it again.`
            : 'No row can be invited. Fix the file and upload it again.'}
        </ErrorNotice>
      )}
      {invite > 0 && invitations === 'waiting' && (
        <Notice tone="warn">
          No mail server is set up, so the invitations will wait on the server. You can copy each user's invitation link
          instead.
        </Notice>
      )}
      <UserImportRows label="Preview" rows={rows} roles={roles} />
      <FormFoot>
        <Button variant="primary" isDisabled={invite === 0} isPending={isPending} onPress={onApply}>
          {invite === 0 ? 'Invite' : `Invite ${countOf(invite, 'user')}`}
        </Button>
      </FormFoot>
    </div>
  );
}
