import { NONE } from '~/model/format';
import type { Thing } from '~/model/thing';
import { catalogName } from '~/model/thingType';
import { Button, Notice } from '~/ui';
import { differingFields, formOf, type ThingForm } from './form';
import styles from './things.module.css';

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
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  const theirs = formOf(props.theirs);
  return (
    <div role="alert" className={styles.conflict}>
      <Notice tone="warn">
        <p>Somebody else has saved this asset since you opened it.</p>
        <table className={styles.conflictTable}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Saved now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {differingFields(props.mine, theirs).map(name => (
              <tr key={name}>
                <th scope="row">{LABELS[name]}</th>
                <td>{valueText(theirs, name)}</td>
                <td>{valueText(props.mine, name)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles.conflictButtons}>
          <Button size="small" onPress={props.onTakeTheirs}>
            Take what is saved
          </Button>
          <Button size="small" variant="primary" onPress={props.onKeepMine}>
            Save mine
          </Button>
        </div>
      </Notice>
    </div>
  );
}
