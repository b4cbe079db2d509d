import { NONE } from '~/model/format';
import type { Thing } from '~/model/thing';
import { catalogName } from '~/model/thingType';
import { Conflict } from '~/ui';
import { differingFields, formOf, type ThingForm } from './form';
import styles from './form.module.css';

const LABELS: Record<keyof ThingForm, string> = {
  nickname: 'Nickname',
  thingTypeId: 'Type',
  thingSubtypeId: 'Subtype',
  vinNumber: 'VIN',
  plateNumber: 'Plate#',
  registryNumber: 'Vehicle Id',
  integrations: 'Integrations',
  inService: 'In service',
  isPubliclyReporting: 'Publicly reporting',
};

function valueText(form: ThingForm, name: keyof ThingForm): string {
  const value = form[name];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return value.map(i => `${i.name} · ${i.id}`).join(', ') || NONE;
  return (name === 'thingTypeId' || name === 'thingSubtypeId' ? catalogName(value) : value) || NONE;
}

/** Somebody was faster: what stands there now beside what was typed, and the choice between them. */
export function ConflictNotice(props: {
  mine: ThingForm;
  theirs: Thing;
  /** Who was faster, in a sentence. */
  who: string;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  const theirs = formOf(props.theirs);
  const rows = differingFields(props.mine, theirs).map(name => ({
    label: LABELS[name],
    theirs: valueText(theirs, name),
    mine: valueText(props.mine, name),
  }));
  return (
    <div className={styles.conflict}>
      <Conflict rows={rows} onTakeTheirs={props.onTakeTheirs} onKeepMine={props.onKeepMine}>
        {props.who}
      </Conflict>
    </div>
  );
}
