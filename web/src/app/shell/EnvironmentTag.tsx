import { useBrand } from '~/session';
import { environmentTag } from '~/session/brand';
import { Tag } from '~/ui/Tag';

/** Which environment this is, wherever it is not production: nobody should take a test for the field. */
export function EnvironmentTag({ className }: { className?: string | undefined }) {
  const word = environmentTag(useBrand());
  return word === '' ? null : <Tag className={className ?? ''}>{word}</Tag>;
}
