import { useMemo, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import { serverClock } from '~/lib/clock';
import { type ExportAsk, type ExportType, exportFaults, exportTime } from '~/model/export';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantText } from '~/model/instant';
import { useFullReach } from '~/section/reach';
import { maySwitch, useOrganization, useProfile } from '~/session';
import { closureTypes } from './words';

export const TIMES = ['export_start_time', 'export_end_time'] as const;

/** The clock of an export that is filled in. */
export type ZoneOf = (ask: Pick<ExportAsk, 'organization_id' | 'use_utc'>) => string;

const time = z.object({ text: z.string(), at: z.number() });

/** The rules of a new export; its time is judged by the clock of `zoneOf`. */
const schemaOf = (type: ExportType, zoneOf: ZoneOf) =>
  z
    .object({
      title: z.string().check(z.trim()),
      organization_id: z.string(),
      use_utc: z.boolean(),
      export_start_time: time,
      export_end_time: time,
      thing_uuids: z.array(z.string()),
      include_no_thing_il: z.boolean(),
      closures_to_include: z.array(z.string()),
      formats: z.array(z.string()),
      mail_when_done: z.boolean(),
    })
    .check(
      z.check<ExportAsk>(context => {
        const faults = exportFaults(type, context.value, zoneOf(context.value), serverClock.now());
        for (const [field, message] of Object.entries(faults))
          context.issues.push({ code: 'custom', message, path: [field], input: context.value });
      }),
    );

const NO_TIME = { text: '', at: 0 };

/** "point Exports 26-Nov-2026" (requirements 5.export). */
export const defaultTitle = (type: ExportType, timeZone: string): string =>
  `${type} Exports ${dateText(serverClock.now(), timeZone, DATE_PATTERNS.dayFirst)}`;

/** The organizations that exports can be made of: those that one acts for, where one can look at their list as well. */
export function useExported() {
  const here = useOrganization();
  const profile = useProfile();
  const isPlatform = useFullReach('');
  const many = profile.organizations.filter(one => isPlatform || one.relation !== 'accessed');
  return maySwitch(profile) ? many : many.filter(one => one.id === here.id);
}

/** The rules and the begin of a new export, and the clock that an organization has. */
export function useNewExport(type: ExportType) {
  const here = useOrganization();
  const { organizations } = useProfile();
  return useMemo(() => {
    const zoneOf: ZoneOf = ({ organization_id, use_utc }) => {
      const zone = organizations.find(one => one.id === organization_id)?.timezone;
      return use_utc || !zone ? 'UTC' : zone;
    };
    const begun: ExportAsk = {
      title: defaultTitle(type, here.timezone),
      organization_id: here.id,
      use_utc: false,
      export_start_time: NO_TIME,
      export_end_time: NO_TIME,
      thing_uuids: [],
      include_no_thing_il: false,
      closures_to_include: type === 'closure' ? closureTypes.map(one => one.id) : [],
      formats: ['csv'],
      mail_when_done: false,
    };
    return { schema: schemaOf(type, zoneOf), begun, zoneOf };
  }, [type, here, organizations]);
}

export type ExportFormOf = UseFormReturn<ExportAsk>;

/** Another clock: the times stay, and read otherwise. */
export function sayTimes(form: ExportFormOf, zoneOf: ZoneOf): void {
  const timeZone = zoneOf(form.getValues());
  for (const name of TIMES) {
    const { at } = form.getValues(name);
    if (at !== 0) form.setValue(name, exportTime(at, timeZone), { shouldDirty: true });
  }
  if (form.formState.submitCount > 0) void form.trigger(TIMES);
}

/** What is sent of a form. */
export function bodyOf(type: ExportType, ask: ExportAsk): Schemas['ExportWrite'] {
  const { export_start_time, export_end_time, include_no_thing_il, closures_to_include, ...rest } = ask;
  return {
    ...rest,
    export_type: type,
    export_start_time: instantText(export_start_time.at) ?? '',
    export_end_time: instantText(export_end_time.at) ?? '',
    ...(type === 'incident' && { include_no_thing_il }),
    ...(type === 'closure' && { closures_to_include }),
  };
}

/** The id of a new export: the same for what is sent again as it was after a lost answer, so that it makes no second one. */
export function useIdOf(): (body: Schemas['ExportWrite']) => string {
  const last = useRef({ said: '', id: '' });
  return body => {
    const said = JSON.stringify(body);
    if (last.current.said !== said) last.current = { said, id: crypto.randomUUID() };
    return last.current.id;
  };
}
