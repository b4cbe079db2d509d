import { EditScreen } from './EditScreen';
import { ProfileForm } from './ProfileForm';

/** The profile edit screen of an asset. */
export function ThingEdit({ id }: { id: string }) {
  return (
    <EditScreen id={id} label="Edit Profile">
      {(thing, now, onDone) => <ProfileForm thing={thing} now={now} onDone={onDone} />}
    </EditScreen>
  );
}
