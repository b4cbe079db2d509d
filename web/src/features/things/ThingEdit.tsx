import { useEffect, useRef, useState } from 'react';
import { useThing } from '~/live';
import { Bone, Button, EmptyState, ErrorNotice, Skeleton, useFullSheet } from '~/ui';
import styles from './form.module.css';
import { ProfileForm } from './ProfileForm';
import { BackButton } from './parts';
import { detailPath, useGo, useOwnOrganization } from './paths';
import screen from './screen.module.css';
import { useShownThing } from './useShownThing';
import { useSelected } from './view';

/** The profile edit screen of an asset; a save returns two levels up. */
export function ThingEdit({ id }: { id: string }) {
  const go = useGo();
  const back = () => go(detailPath(id));
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useSelected(id);
  useOwnOrganization();
  useFullSheet();
  return (
    <article className={screen.screen} aria-label="Edit Profile">
      <div className={styles.editHead}>
        <BackButton label={useThing(id)?.primaryDisplayName ?? 'Asset'} onPress={back} />
        <h1 ref={title} tabIndex={-1}>
          Edit Profile
        </h1>
      </div>
      <EditBody id={id} onDone={back} />
    </article>
  );
}

function EditBody({ id, onDone }: { id: string; onDone: () => void }) {
  const shown = useShownThing(id);
  // The form begins with what stood here when it opened; the stream must not change a draft.
  const [begun, setBegun] = useState(shown.state === 'shown' && shown.isComplete ? shown.thing : undefined);
  if (!begun && shown.state === 'shown' && shown.isComplete) setBegun(shown.thing);
  if (begun) return <ProfileForm thing={begun} onDone={onDone} />;
  if (shown.state === 'failed') return <EditFailed shown={shown} onBack={onDone} />;
  return <EditBones />;
}

/** Why an edit screen has nothing to edit. */
export function EditFailed({
  shown,
  onBack,
}: {
  shown: { text: string; isMissing: boolean; retry: () => void };
  onBack: () => void;
}) {
  if (shown.isMissing) return <EmptyState title={shown.text} action={<Button onPress={onBack}>Back</Button>} />;
  return (
    <ErrorNotice className={screen.failure ?? ''} onRetry={shown.retry}>
      {shown.text}
    </ErrorNotice>
  );
}

/** The shape of a form while its asset is read. */
export function EditBones() {
  return (
    <Skeleton label="Loading asset">
      <div className={styles.formBody}>
        {['a', 'b', 'c', 'd', 'e'].map(key => (
          <div key={key} className={styles.boneField}>
            <Bone width="30%" height={11} />
            <Bone height={36} />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}
