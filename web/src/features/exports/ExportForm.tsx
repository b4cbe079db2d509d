import { useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { bytesText, type ExportAsk, type ExportType, exportFaults } from '~/model/export';
import { EditForm, sayMarked, useDraft } from '~/office';
import { useWords } from '~/section/words';
import { Button, ChecksLine, FormSection, FormTextField, SelectLine, SwitchLine } from '~/ui';
import { AssetsLine } from './AssetsLine';
import styles from './exports.module.css';
import { bodyOf, type ExportFormOf, sayTimes, useExported, useIdOf, useNewExport, type ZoneOf } from './form';
import { Head } from './Head';
import { useEstimate, useExportWrites } from './queries';
import { TimeLines } from './TimeLines';
import { closureTypes, exportTypes, formatsOf, rowsText, sheetsText } from './words';

interface ExportFormProps {
  type: ExportType;
  onBack: () => void;
  /** told the id of what was asked for */
  onMade: (id: string) => void;
}

/** The second step: what the export is about. */
export function ExportForm({ type, onBack, onMade }: ExportFormProps) {
  const words = useWords();
  const { schema, begun, zoneOf } = useNewExport(type);
  const writes = useExportWrites();
  const idOf = useIdOf();
  const draft = useDraft({
    schema,
    begun,
    send: async (_, __, values) => {
      const body = bodyOf(type, values);
      onMade((await writes.create({ ...body, id: idOf(body) })).id);
    },
    say: sayMarked('export'),
  });
  const form = draft.form as unknown as ExportFormOf;
  const { title, holds } = exportTypes.find(one => one.id === type) ?? {};
  return (
    <>
      <Head step={1} title={`New export: ${title?.(words) ?? type}`} sentence={holds?.(words) ?? ''} />
      <EditForm label="New export" submit="Create export" draft={draft} cancel={<Button onPress={onBack}>Back</Button>}>
        <About form={form} zoneOf={zoneOf} />
        <TimeLines form={form} zoneOf={zoneOf} />
        <Rows type={type} form={form} />
        <FormSection title="Files" hint="Each format is a file of its own with the same rows.">
          <ChecksLine control={form.control} name="formats" label="Formats" options={formatsOf(type)} />
          {type === 'point' && <Estimate form={form} zoneOf={zoneOf} />}
          <SwitchLine control={form.control} name="mail_when_done" label="Email me when it is done" />
        </FormSection>
      </EditForm>
    </>
  );
}

/** What it is called, and whose it is where there is a choice. */
function About({ form, zoneOf }: { form: ExportFormOf; zoneOf: ZoneOf }) {
  const { control, setValue } = form;
  const organizations = useExported();
  return (
    <FormSection title="Export" hint="The title is how you find it again.">
      <FormTextField control={control} name="title" label="Title" isRequired autoFocus />
      {organizations.length > 1 && (
        <SelectLine
          control={control}
          name="organization_id"
          label="Organization"
          options={organizations.map(one => ({ id: one.id, label: one.name }))}
          // Its assets are others, and so may its clock be.
          onChosen={() => {
            setValue('thing_uuids', [], { shouldDirty: true });
            sayTimes(form, zoneOf);
          }}
        />
      )}
    </FormSection>
  );
}

/** Which rows it has, by its type. */
function Rows({ type, form }: { type: ExportType; form: ExportFormOf }) {
  const words = useWords();
  const { control } = form;
  const organizationId = useWatch({ control, name: 'organization_id' }) ?? '';
  const events = words.events.toLowerCase();
  return (
    <>
      {type === 'closure' && (
        <FormSection title="Closures" hint="Choose at least one type here, or an asset below.">
          <ChecksLine control={control} name="closures_to_include" label="Closure types" options={closureTypes} />
        </FormSection>
      )}
      <FormSection title="Assets" hint={assetsHint(type, events)}>
        <AssetsLine key={organizationId} form={form} type={type} organizationId={organizationId} />
        {type === 'incident' && (
          <SwitchLine control={control} name="include_no_thing_il" label={`Include ${events} without assets`} />
        )}
      </FormSection>
    </>
  );
}

/** How large the files of points would be: who asks for a month of a fleet shall know before. */
function Estimate({ form, zoneOf }: { form: ExportFormOf; zoneOf: ZoneOf }) {
  const ask = useWatch({ control: form.control }) as ExportAsk;
  const isAsked = Object.keys(exportFaults('point', ask, zoneOf(ask), serverClock.now())).length === 0;
  const { data } = useEstimate(bodyOf('point', { ...ask, title: 'estimate' }), isAsked);
  const rows = isAsked ? data?.rows : undefined;
  return (
    <p role="status" className={styles.zone}>
      {typeof rows === 'number' && `About ${rowsText(rows)}, ${bytesText(data?.bytes ?? 0)}.`}
      {typeof rows === 'number' && ask.formats.includes('xlsx') && ` ${sheetsText(rows)}`}
    </p>
  );
}

const assetsHint = (type: ExportType, events: string): string =>
  ({
    point: 'Whose positions the files have.',
    incident: `Only ${events} at which one of these assets was.`,
    asset: 'Which assets the files have.',
    closure: 'Closures of these assets are included, whatever their type.',
  })[type];
