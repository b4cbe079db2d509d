import limits from '@catalog/limits.json';
import { useState } from 'react';
import { say } from '~/api';
import { deviceText } from '~/model/device';
import { PasskeyAborted } from '~/session/passkey';
import { Button, Dialog, ErrorNotice, TextField, toast } from '~/ui';
import styles from './profile.module.css';
import { useProfileMutations } from './queries';

/** Adds a passkey: a name, then the browser's own question. */
export function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const mutations = useProfileMutations();
  const [name, setName] = useState(() => deviceText(navigator.userAgent));
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const add = async () => {
    setFailure(undefined);
    setPending(true);
    try {
      await mutations.addPasskey(name.trim());
      toast('Passkey added');
      onClose();
    } catch (error) {
      setFailure(error instanceof PasskeyAborted ? 'No passkey was created.' : say('generic', error));
      setPending(false);
    }
  };
  return (
    <Dialog isOpen title="Add a passkey" onOpenChange={open => !open && onClose()}>
      <form
        noValidate
        aria-label="Add a passkey"
        onSubmit={event => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          label="Name"
          hint="A name to recognize it by."
          value={name}
          onChange={setName}
          maxLength={limits.text.name.value}
          autoFocus
        />
        {failure && <ErrorNotice>{failure}</ErrorNotice>}
        <div className={styles.foot}>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isPending={isPending} isDisabled={name.trim() === ''}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
