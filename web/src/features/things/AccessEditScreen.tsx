import { useEffect, useRef, useState } from 'react';
import { say } from '~/api';
import { useThing } from '~/live';
import type { Thing } from '~/model/thing';
import { useCan, useOrganization, useProfile } from '~/session';
import { Button, EmptyState, ErrorNotice, LeaveGuard, Select, toast, useFullSheet } from '~/ui';
import { type AccessChoice, accessEdits, accessLines, mayEditAccess, mayEditThing, ownerOf } from './access';
import styles from './form.module.css';
import { BackButton } from './parts';
import { detailPath, useGo, useOwnOrganization } from './paths';
import { saveAccess } from './queries';
import screen from './screen.module.css';
import { EditBones, EditFailed } from './ThingEdit';
import { useShownThing } from './useShownThing';
import { useSelected } from './view';

const CHOICES: readonly { id: AccessChoice; label: string }[] = [
  { id: 'manager', label: 'Manager' },
  { id: 'accessor', label: 'Accessor' },
  { id: 'delete', label: 'No access' },
];

/** Which organizations manage or access an asset; a save returns two levels up. */
export function AccessEditScreen({ id }: { id: string }) {
  const go = useGo();
  const back = () => go(detailPath(id));
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useSelected(id);
  useOwnOrganization();
  useFullSheet();
  return (
    <article className={screen.screen} aria-label="Edit Organization Access">
      <div className={styles.editHead}>
        <BackButton label={useThing(id)?.primaryDisplayName ?? 'Asset'} onPress={back} />
        <h1 ref={title} tabIndex={-1}>
          Edit Organization Access
        </h1>
      </div>
      <Body id={id} onDone={back} />
    </article>
  );
}

function Body({ id, onDone }: { id: string; onDone: () => void }) {
  const shown = useShownThing(id);
  const [begun, setBegun] = useState<Thing | undefined>(undefined);
  if (!begun && shown.state === 'shown' && shown.isComplete) setBegun(shown.thing);
  if (begun) return <AccessForm thing={begun} onDone={onDone} />;
  if (shown.state === 'failed') return <EditFailed shown={shown} onBack={onDone} />;
  return <EditBones />;
}

function AccessForm({ thing, onDone }: { thing: Thing; onDone: () => void }) {
  const organization = useOrganization();
  const profile = useProfile();
  const mayEdit = mayEditThing(thing, organization, useCan('EDIT_THING'));
  const owner = ownerOf(thing, profile.organizations, organization);
  const [before] = useState(() => accessLines(thing, owner));
  const [lines, setLines] = useState(before);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isSaved = useRef(false);
  const edits = accessEdits(before, lines);

  if (!mayEditAccess(thing, owner, mayEdit)) {
    return (
      <EmptyState
        title="You can't edit this asset's organization access."
        action={<Button onPress={onDone}>Back</Button>}
      >
        There's no organization to share with, or you have view-only access.
      </EmptyState>
    );
  }
  const save = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      if (edits.length > 0) await saveAccess(thing.id, edits);
      isSaved.current = true;
      toast('Organization access saved');
      onDone();
    } catch (error) {
      setFailure(say('thing.associations', error));
      setPending(false);
    }
  };
  return (
    <form
      className={styles.form}
      aria-label="Organization Access"
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <LeaveGuard isDirty={() => edits.length > 0 && !isSaved.current} />
      <div className={styles.formBody}>
        <p className={styles.lead}>
          Owned by <b>{thing.organization.name}</b>. Managers can edit the asset; accessors can view it.
        </p>
        {lines.map(line => (
          <div key={line.organizationId} className={styles.accessLine}>
            <span>{line.name}</span>
            <Select
              label={`Access of ${line.name}`}
              hideLabel
              options={CHOICES}
              value={line.choice}
              onChange={choice =>
                setLines(now =>
                  now.map(l =>
                    l.organizationId === line.organizationId ? { ...l, choice: choice as AccessChoice } : l,
                  ),
                )
              }
            />
          </div>
        ))}
      </div>
      <div className={screen.foot}>
        <Button onPress={onDone}>Cancel</Button>
        <Button variant="primary" type="submit" isPending={isPending}>
          Save
        </Button>
      </div>
      {failure && <ErrorNotice className={styles.footError ?? ''}>{failure}</ErrorNotice>}
    </form>
  );
}
