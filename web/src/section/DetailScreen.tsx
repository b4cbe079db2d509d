import { MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { fill, type Operation, say, texts } from '~/api';
import { useStore } from '~/lib/store';
import { AskButton, IconButton, toast, useMapInSight } from '~/ui';
import { DrawerScreen, Heading } from './DrawerScreen';
import styles from './detail.module.css';
import type { EditedType, SectionNoun } from './noun';
import { useGo } from './paths';
import { RowBones, type Shown, ShownRow } from './shown';
import { toastUndo, type UndoNoun } from './undo';
import { mapHolder, panTo } from './view';

interface Looked {
  readonly what: string;
  readonly many: string;
  readonly list: string;
}

interface DetailScreenProps<Row> {
  noun: Looked;
  id: string;
  shown: Shown<Row>;
  missing?: string;
  children: (row: Row) => ReactNode;
}

const MISSING = "It may have been deleted, or your organization doesn't have access to it.";

/** The frame of a screen about one row of a section. */
export function DetailScreen<Row>({ noun, id, shown, missing = MISSING, children }: DetailScreenProps<Row>) {
  useMapInSight();
  const { what, many, list } = noun;
  return (
    <DrawerScreen id={id} list={list} label={what} back={{ label: many, to: list }}>
      <ShownRow
        shown={shown}
        bones={<RowBones label={`Loading ${what.toLowerCase()}`} />}
        back={{ label: `Back to ${many}`, to: list }}
        missing={missing}
      >
        {children}
      </ShownRow>
    </DrawerScreen>
  );
}

interface HeroProps {
  id: string;
  /** its sign */
  mark: ReactNode;
  name: string;
  /** what it is, under its name */
  children: ReactNode;
  /** "zone": what the map pans to */
  what: string;
  /** beside the way to the map */
  buttons?: ReactNode;
  /** behind it */
  aside?: ReactNode;
  /** False: the map does not show it now. */
  isOnMap?: boolean;
  /** below: how it stands now */
  status?: ReactNode;
}

/** The head of a detail: sign, name, what it is, and the way to its place on the map. */
export function Hero({ id, mark, name, what, buttons, aside, isOnMap = true, status, children }: HeroProps) {
  const map = useStore(mapHolder) && isOnMap;
  return (
    <header className={styles.hero}>
      <div className={styles.heroLine}>
        {mark}
        <div className={styles.heroText}>
          <Heading className={styles.heroName}>{name}</Heading>
          {children}
        </div>
        {(buttons || map) && (
          <div className={styles.mapButtons}>
            {buttons}
            {map && (
              <IconButton label={`Pan to ${what}`} onPress={() => panTo(id)}>
                <MapPin size={16} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            )}
          </div>
        )}
        {aside}
      </div>
      {status}
    </header>
  );
}

interface DeleteRowProps<Type extends EditedType & UndoNoun> {
  noun: SectionNoun<Type>;
  row: { id: string; version: number };
  /** the texts of its failures, if it has its own */
  operation?: Operation;
  /** what it is called, under the question */
  children: ReactNode;
}

/** Asks, then deletes, and offers to undo that; what is gone already says so in passing. */
export function DeleteRow<Type extends EditedType & UndoNoun>(props: DeleteRowProps<Type>) {
  const { noun, row, operation = 'row.delete', children } = props;
  const go = useGo();
  const { type, what } = noun;
  const why = (error: unknown) => say(operation, error, what);
  return (
    <div className={styles.foot}>
      <AskButton
        label={`Delete ${what}`}
        button={{ variant: 'danger', size: 'small' }}
        title={fill(texts.delete.row, { noun: what })}
        run={() => noun.remove(row.id)}
        say={why}
        onDone={failure => {
          if (failure) toast(why(failure));
          else toastUndo(`${what} deleted`, type, { id: row.id, version: row.version + 1 });
          go(noun.list, { replace: true });
        }}
      >
        {children}
      </AskButton>
    </div>
  );
}
