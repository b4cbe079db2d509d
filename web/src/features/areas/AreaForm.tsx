import { useEffect } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { formatLatLng, parseLatLng } from '~/lib/coordinates';
import { useStore } from '~/lib/store';
import { areaFamily } from '~/map/layers/areaGlyph';
import type { LatLng } from '~/map/types';
import { areaTypeOptions } from '~/model/area';
import { AddressFields } from '~/office';
import styles from '~/section/form.module.css';
import { mapHolder } from '~/section/view';
import { useCan } from '~/session';
import { Button, FormTextField, Notice, SegmentedLine, SelectLine, SwitchLine } from '~/ui';
import { type AreaDraft, DESC_MAX, linesOf, NAME_MAX, placesOf, SHAPES, shapeOf, typeById } from './form';
import { patchView } from './view';

/** What is filled in of an area, new or not. */
export function AreaFields({ form, id }: { form: UseFormReturn<AreaDraft>; id: string }) {
  const { control } = form;
  const isPlatform = useCan('MANAGE_PLATFORM');
  const typeId = useWatch({ control, name: 'ez_type_id' });
  // Those for automated vehicles are the platform's.
  const types = areaTypeOptions().filter(({ id: one }) => isPlatform || one === typeId || !typeById(one)?.isAVType);
  return (
    <>
      <FormTextField control={control} name="name" label="Name" isRequired max={NAME_MAX} />
      <SelectLine control={control} name="ez_type_id" label="Type" options={types} />
      <FormTextField control={control} name="desc" label="Description" max={DESC_MAX} />
      <ShapeFields form={form} id={id} />
      <SwitchLine
        control={control}
        name="is_active"
        label="Active"
        hint="An inactive area stays on the map, dimmed, and no asset is matched with it."
      />
      <AddressFields form={form} />
    </>
  );
}

function ShapeFields({ form, id }: { form: UseFormReturn<AreaDraft>; id: string }) {
  const { control } = form;
  const shape = useWatch({ control, name: 'shape' });
  const isExclusion = typeById(useWatch({ control, name: 'ez_type_id' }))?.isExclusion ?? false;
  useDraftOnMap(form, id);
  const put = usePlacing(form);
  if (shape === 'kept') return <Notice>This shape has several parts. It stays as it is.</Notice>;
  return (
    <>
      <SegmentedLine
        control={control}
        name="shape"
        label="Shape"
        options={SHAPES.filter(one => !(isExclusion && one.id === 'line'))}
      />
      {shape === 'circle' ? (
        <div className={styles.two}>
          <FormTextField control={control} name="point_geom" label="Position" hint="Latitude, longitude" isMono />
          <FormTextField control={control} name="radius_dist" label="Radius" hint="Meters" />
        </div>
      ) : (
        <FormTextField
          control={control}
          name="area_geom"
          label="Points"
          rows={5}
          hint="One point on each line: latitude, longitude. A click on the map adds one."
          isMono
        />
      )}
      <Button size="small" onPress={put}>
        {shape === 'circle' ? 'Use map center' : 'Add map center'}
      </Button>
    </>
  );
}

const TOUCHED = { shouldDirty: true, shouldTouch: true, shouldValidate: true };

/** A click on the map says where it is; the answer takes the middle of the map. */
function usePlacing(form: UseFormReturn<AreaDraft>): () => void {
  const map = useStore(mapHolder);
  const { getValues, setValue } = form;
  const put = (place: LatLng) => {
    const { shape, area_geom } = getValues();
    if (shape === 'circle') setValue('point_geom', formatLatLng(place), TOUCHED);
    else if (placesOf(area_geom))
      setValue('area_geom', [area_geom.trim(), linesOf([place])].filter(Boolean).join('\n'), TOUCHED);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `put` reads the form when it is called
  useEffect(() => map?.on('mapclick', put), [map]);
  return () => {
    const view = map?.view();
    if (view) put(view.center);
  };
}

/** While the form stands, the map shows the area as it is filled in. */
function useDraftOnMap(form: UseFormReturn<AreaDraft>, id: string): void {
  const draft = useWatch({ control: form.control }) as AreaDraft;
  const { name, ez_type_id, is_active, shape, point_geom, radius_dist, area_geom } = draft;
  useEffect(() => {
    const type = typeById(ez_type_id);
    const at = shapeOf({ shape, point_geom, radius_dist, area_geom }) ?? marker(shape, point_geom, area_geom);
    if (!at || shape === 'kept' || !type) return patchView({ draft: null });
    const { lat, lng, radius, geometry } = at;
    const { name: typeName, isStationView: isStation, isExclusion } = type;
    patchView({
      draft: {
        id,
        lat,
        lng,
        name,
        family: areaFamily({ typeName, isStation, isExclusion }),
        active: is_active,
        units: 0,
        radiusM: radius,
        geometry,
        // Clicks go on to the map below: they set its points.
        contains: () => false,
      },
    });
  }, [id, name, ez_type_id, is_active, shape, point_geom, radius_dist, area_geom]);
  useEffect(() => () => patchView({ draft: null }), []);
}

/** Too few points for a shape are a line. */
function marker(shape: AreaDraft['shape'], position: string, lines: string) {
  const places = shape === 'circle' ? [parseLatLng(position)] : placesOf(lines);
  const known = places?.filter(place => place !== null) ?? [];
  const [first] = known;
  if (!first) return null;
  return {
    ...first,
    radius: 0,
    geometry: { type: 'LineString', coordinates: known.map(({ lat, lng }) => [lng, lat]) },
  };
}
