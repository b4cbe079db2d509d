import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { locate } from '~/map/geolocation';
import type { FoundPin } from '~/map/types';
import { localText } from '~/model/localTime';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useAim } from '~/section/useAim';
import { useDrawing } from '~/section/useDrawing';
import { mapHolder } from '~/section/view';
import { useBrand, useOrganization } from '~/session';
import { Button, ErrorNotice, Segmented, useSheet } from '~/ui';
import { type Conflict, useChecked, useMarked } from './check';
import { askAhead, type Directions, directionOf, headingBetween, type LatLng, sayRoute } from './directions';
import { type ClosureDraft, DESCRIPTION_MAX, newClosure, routeText, sayClosure, writeOf } from './form';
import styles from './form.module.css';
import { CLOSURES } from './noun';
import { QuickOverlap } from './Overlaps';
import { toastSaved } from './saving';
import { ENDS } from './Times';
import { directionText } from './words';

const LENGTHS = [
  { id: '100', label: '100 m' },
  { id: '200', label: '200 m' },
  { id: '500', label: '500 m' },
  { id: '1000', label: '1 km' },
] as const;
const UNTIL = ENDS.map(({ label }) => ({ id: label, label }));
const HERE = { pin: 'Pin', map: 'Center of the map', me: 'My location' } as const;
type Source = keyof typeof HERE;

const NONE: readonly Conflict[] = [];

interface QuickProps {
  id: string;
  /** The full form, with what has been said here. */
  onMore: (draft: ClosureDraft) => void;
}

/** A closure in a few taps: where, how far along the road, which way, until when. It stands from now on. */
export function ClosureQuick({ id, onMore }: QuickProps) {
  const go = useGo();
  const { id: organization_id, timezone } = useOrganization();
  const timeZone = timezone || 'UTC';
  const { place, source, sources, failure: unfound, choose } = useHere();
  const [meters, setMeters] = useState<string>('200');
  const [until, setUntil] = useState<string>('2 h');
  const [chosen, setChosen] = useState('');
  const ways = useWays(place, Number(meters));
  const option =
    ways.options.find(one => one.direction === chosen) ?? (ways.options.length === 1 ? ways.options[0] : undefined);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState('');
  useShown(option?.way.route ?? ways.options[0]?.way.route);
  const draft = (): ClosureDraft => {
    const end = ENDS.find(({ label }) => label === until)?.end(serverClock.now(), timeZone) ?? 0;
    return { ...newClosure(), end_time: localText(end, timeZone), ...(option && saidOf(option.way)) };
  };
  const body = () => {
    const said = draft();
    return { ...writeOf(said, said, { timeZone }), uuid: id, organization_id };
  };
  const { check, isFresh } = useChecked(option ? body() : null);
  const conflicts = isFresh && check ? check.conflicts : NONE;
  useMarked(conflicts, null);
  const save = async () => {
    setSaving(true);
    setFailure('');
    try {
      await CLOSURES.add(body());
      toastSaved(id, 'Closure added');
      go(CLOSURES.detail(id), { replace: true });
    } catch (error) {
      setFailure(sayClosure('closure.add')(error));
      setSaving(false);
    }
  };
  return (
    <section className={formLook.form} aria-label="Add Closure">
      <div className={`${formLook.body} ${styles.short}`}>
        <fieldset>
          <legend>Where it starts</legend>
          <Segmented
            label="Where it starts"
            value={source}
            onChange={choose}
            options={sources.map(one => ({ id: one, label: HERE[one] }))}
          />
        </fieldset>
        {unfound && <ErrorNotice>{unfound}</ErrorNotice>}
        <fieldset>
          <legend>Direction of traffic</legend>
          {ways.options.length > 0 ? (
            <Segmented
              label="Direction of traffic"
              value={option?.direction ?? ''}
              onChange={setChosen}
              options={ways.options.map(({ direction }) => ({ id: direction, label: directionText(direction) }))}
            />
          ) : (
            <p className={styles.found}>{place ? 'Finding the road…' : 'Waiting for your location…'}</p>
          )}
        </fieldset>
        {ways.failure && <ErrorNotice onRetry={ways.retry}>{sayRoute(ways.failure)}</ErrorNotice>}
        <p className={styles.found}>{foundText(option?.way ?? ways.options[0]?.way)}</p>
        <fieldset>
          <legend>Length</legend>
          <Segmented label="Length" value={meters} onChange={setMeters} options={LENGTHS} />
        </fieldset>
        <fieldset>
          <legend>Ends</legend>
          <Segmented label="Ends" value={until} onChange={setUntil} options={UNTIL} />
        </fieldset>
      </div>
      <div role="status">
        {conflicts[0] && (
          <QuickOverlap
            conflict={conflicts[0]}
            others={conflicts.length - 1}
            onOpen={other => go(CLOSURES.detail(other))}
          />
        )}
      </div>
      <div className={formLook.foot}>
        <Button onPress={() => onMore(draft())}>All Fields</Button>
        <Button variant="primary" isDisabled={!option} isPending={isSaving} onPress={() => void save()}>
          {conflicts.length > 0 ? 'Add Anyway' : 'Activate'}
        </Button>
      </div>
      {failure && <ErrorNotice className={formLook.alert}>{failure}</ErrorNotice>}
    </section>
  );
}

function foundText(way: Directions | undefined): string {
  if (!way) return '';
  if (!way.is_routed) return 'No road was found here. The line is straight.';
  const streets = [way.street_start, way.street_end].filter(Boolean).join(' to ');
  return [way.road_name || 'Unnamed road', streets].filter(Boolean).join(', ');
}

/** What a line says of a closure. */
function saidOf(way: Directions): Partial<ClosureDraft> {
  const ends = [way.route[0], way.route.at(-1)].filter(end => end !== undefined);
  const description = way.road_name ? `Closure on ${way.road_name}` : 'Road closure';
  return {
    description: [...description].slice(0, DESCRIPTION_MAX).join(''),
    direction: directionOf(way.route),
    road_name: way.road_name,
    street_start: way.street_start,
    street_end: way.street_end,
    user_route: routeText(ends),
    calculated_route: routeText(way.route),
  };
}

const never = () => () => undefined;

/** The pin that stands on the map; null for none. */
function usePin(): FoundPin | null {
  const map = useStore(mapHolder);
  return useSyncExternalStore(map?.subscribe ?? never, () => map?.getState().found ?? null);
}

/** The middle of what is seen of the map, as it is moved; while the sheet covers the map, as it was seen last. */
function useMiddle(): LatLng | null {
  const map = useStore(mapHolder);
  const isCovered = useSheet()?.stop === 'full';
  const [middle, setMiddle] = useState<LatLng | null>(null);
  useEffect(() => {
    if (!map || isCovered) return;
    setMiddle(map.view()?.middle ?? null);
    return map.on('middle', setMiddle);
  }, [map, isCovered]);
  return middle;
}

/** Where the closure starts: the pin of a place that was looked for, the middle of the map, or where the user is. */
function useHere() {
  const map = useStore(mapHolder);
  const { name } = useBrand();
  const pin = usePin();
  // What was chosen holds until another place is looked for.
  const [chosen, setChosen] = useState<{ source: Source; pin: FoundPin | null }>();
  const source: Source = chosen && chosen.pin === pin ? chosen.source : pin ? 'pin' : 'map';
  const center = useMiddle();
  const [me, setMe] = useState<LatLng | null>(null);
  const [failure, setFailure] = useState('');
  useAim(source === 'map' ? 'middle' : source === 'me' ? me : null);
  // It was looked for before, perhaps: nothing says that it is in sight.
  useEffect(() => {
    if (pin && source === 'pin') map?.goTo(pin);
  }, [map, pin, source]);
  const choose = (next: Source) => {
    setChosen({ source: next, pin });
    setFailure('');
    if (next !== 'me') return;
    setMe(null);
    void locate(navigator.geolocation, name).then(found => {
      if ('place' in found) {
        setMe(found.place);
        map?.goTo(found.place);
        return;
      }
      setFailure(found.failure);
      setChosen(now => (now?.source === 'me' ? undefined : now));
    });
  };
  const sources: readonly Source[] = pin ? ['pin', 'map', 'me'] : ['map', 'me'];
  const place = { pin, map: center, me }[source];
  return { place, source, sources, failure, choose };
}

interface WayOption {
  direction: string;
  way: Directions;
}

/** The road at a place both ways; one where it is driven one way alone. */
function useWays(place: LatLng | null, meters: number) {
  const here = place && { lat: Number(place.lat.toFixed(5)), lng: Number(place.lng.toFixed(5)) };
  const query = useQuery({
    queryKey: ['directions', 'ahead', here, meters],
    queryFn: async ({ signal }) => {
      if (!here) return [];
      const way = await askAhead(here, 0, meters, signal);
      const back = await askAhead(here, headingOf(way) + 180, meters, signal);
      const options: WayOption[] = [way, back].map(one => ({ direction: directionOf(one.route), way: one }));
      return options.filter(({ direction }, index) => options.findIndex(one => one.direction === direction) === index);
    },
    enabled: here !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { options: query.data ?? [], failure: query.error, retry: () => void query.refetch() };
}

function headingOf({ route: [first, second] }: Directions): number {
  return first && second ? headingBetween(first, second) : 0;
}

/** The line on the map, while it is not saved. */
function useShown(line: readonly LatLng[] | undefined): void {
  const drawing = useDrawing({ kind: 'line', isOnlyGuide: true });
  useEffect(() => drawing?.guide(line ?? []), [drawing, line]);
}
