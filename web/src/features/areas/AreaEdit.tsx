import { useRow } from '~/live';
import type { Area } from '~/model/area';
import { EditScreen, RowForm } from '~/section/EditScreen';
import { sayField } from '~/section/noun';
import type { Now } from '~/section/shown';
import { AreaFields } from './AreaForm';
import { useMayChange } from './access';
import { AREA_PARTS, areaNow, areaSchema, formOf, writeOf } from './form';
import { AREAS } from './noun';
import { useOnStage } from './view';

/** Edits an area. */
export function AreaEdit({ id }: { id: string }) {
  useOnStage();
  const name = useRow('area', id)?.name;
  return (
    <EditScreen noun={AREAS} id={id} name={name} shown={AREAS.useShown(id)}>
      {(area, now, done) => <AreaForm area={area} now={now} onDone={done} />}
    </EditScreen>
  );
}

function AreaForm({ area, now, onDone }: { area: Area; now: Now<Area>; onDone: () => void }) {
  return (
    <RowForm
      what="Area"
      row={area}
      now={now}
      schema={areaSchema}
      read={formOf}
      together={AREA_PARTS}
      theirs={areaNow}
      save={(changes, base, values) => AREAS.save(area.id, writeOf(changes, values, base.address), base.version)}
      undo="area"
      say={sayField('area.save')}
      mayEdit={useMayChange(area).edit}
      onDone={onDone}
    >
      {form => <AreaFields form={form} id={area.id} />}
    </RowForm>
  );
}
