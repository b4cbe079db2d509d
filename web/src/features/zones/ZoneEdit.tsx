import { useRow } from '~/live';
import type { Zone } from '~/model/zone';
import { EditScreen, RowForm } from '~/section/EditScreen';
import { sayField } from '~/section/noun';
import { useFullReach } from '~/section/reach';
import type { Now } from '~/section/shown';
import { formOf, writeOf, zoneNow, zoneSchema } from './form';
import { ZONES } from './noun';
import { ZoneFields } from './ZoneFields';

/** Edits a zone. */
export function ZoneEdit({ id }: { id: string }) {
  const name = useRow('zone', id)?.description;
  return (
    <EditScreen noun={ZONES} id={id} name={name} shown={ZONES.useShown(id)}>
      {(zone, now, done) => <ZoneForm zone={zone} now={now} onDone={done} />}
    </EditScreen>
  );
}

function ZoneForm({ zone, now, onDone }: { zone: Zone; now: Now<Zone>; onDone: () => void }) {
  return (
    <RowForm
      what="Zone"
      row={zone}
      now={now}
      schema={zoneSchema}
      read={formOf}
      theirs={zoneNow}
      save={(changes, base) => ZONES.save(zone.id, writeOf(changes), base.version)}
      undo="zone"
      say={sayField('zone.save')}
      mayEdit={useFullReach(zone.organization_id)}
      onDone={onDone}
    >
      {form => <ZoneFields form={form} id={zone.id} />}
    </RowForm>
  );
}
