import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '~/ui';

export interface FilePickProps {
  label: string;
  accept: string;
  choose: string;
  onPick: (file: File) => void;
  isPending: boolean;
  /** A file is shown already. */
  again: boolean;
}

/** Chooses a file. */
export function FilePick({ label, accept, choose, onPick, isPending, again }: FilePickProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={event => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again, changed meanwhile.
          event.target.value = '';
          if (file) onPick(file);
        }}
      />
      <Button
        icon={<Upload size={16} strokeWidth={1.75} aria-hidden="true" />}
        variant={again ? 'default' : 'primary'}
        isPending={isPending}
        onPress={() => input.current?.click()}
      >
        {again ? 'Choose another file' : choose}
      </Button>
    </>
  );
}
