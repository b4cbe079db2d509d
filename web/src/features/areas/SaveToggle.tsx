import { Star } from 'lucide-react';
import { useSavedArea } from '~/section/savedAreas';
import { IconToggle } from '~/ui';
import styles from './areas.module.css';

/** The bookmark of an area: saved areas are one search away in Live. */
export function SaveToggle({
  id,
  rowOf,
}: {
  id: string /** the area's name, in a row of many: keys have the one in its detail */;
  rowOf?: string;
}) {
  const { isSaved, save } = useSavedArea(id);
  if (isSaved === undefined) return null;
  return (
    <IconToggle
      {...(rowOf && { variant: 'ghost', size: 'small' })}
      label={rowOf ? `Save ${rowOf}` : 'Save area'}
      excludeFromTabOrder={rowOf !== undefined}
      isSelected={isSaved}
      onChange={save}
      className={styles.star ?? ''}
    >
      <Star size={16} strokeWidth={1.75} fill={isSaved ? 'currentColor' : 'none'} aria-hidden="true" />
    </IconToggle>
  );
}
