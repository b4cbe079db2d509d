import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { asFailure } from '~/api';
import { countOf, countText, NONE } from '~/model/format';
import { sayMarked, things, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import {
  Button,
  Checkbox,
  type Column,
  EmptyState,
  ErrorNotice,
  LeaveGuard,
  Pill,
  RefusedButton,
  RowActions,
  SearchField,
  Segmented,
  Sub,
  Table,
  Tools,
  Two,
  toast,
} from '~/ui';
import { AssetDialog } from './AssetDialog';
import { isUnstarted } from './health';
import {
  type Integration,
  MAY,
  providerOf,
  TAB,
  useIntegrationMutations,
  type Vehicle,
  type VehicleLink,
  vehiclesOf,
} from './integration';
import styles from './integrations.module.css';
import {
  begunWith,
  type Choices,
  chosenOf,
  clashesOf,
  foundText,
  type Kind,
  kindOf,
  marksText,
  matchText,
  NEW,
  sentOf,
  unmatchedOf,
  whyText,
  withChoice,
  withNew,
  wordsOf,
} from './vehicles';

const ALL = 'all';
const kinds = [
  { id: ALL, label: 'All' },
  { id: 'matched', label: 'Matched' },
  { id: 'none', label: 'No match' },
  { id: 'twice', label: 'Twice' },
] as const;
const tones = { matched: 'good', none: 'neutral', twice: 'warn' } as const;

interface VehicleChoiceProps {
  row: Integration;
  vehicles: readonly Vehicle[];
}

/** Which vehicles are linked to which assets: at first all that were matched. */
export function VehicleChoice({ row, vehicles }: VehicleChoiceProps) {
  const [begun] = useState(() => begunWith(vehicles));
  const [choices, setChoices] = useState(begun);
  const [kind, setKind] = useState<Kind | typeof ALL>(ALL);
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<Vehicle>();
  const link = useLink(row, vehicles, choices);
  const nameOf = useAssetNames();
  const clashes = useMemo(() => clashesOf(choices), [choices]);
  const unmatched = useMemo(() => unmatchedOf(vehicles, choices), [vehicles, choices]);
  const mayCreate = useMay(MAY.newThings);
  const sought = text.trim().toLowerCase();
  const shown = useMemo(
    () =>
      vehicles.filter(
        one =>
          (kind === ALL || kindOf(one) === kind) &&
          (sought === '' || wordsOf(one).some(word => word.toLowerCase().includes(sought))),
      ),
    [vehicles, kind, sought],
  );
  const columns = columnsOf({
    vehicles,
    choices,
    clashes,
    faults: link.faults,
    provider: providerOf(row.provider).label,
    nameOf,
    onChange: setChoices,
    onAsk: setAsked,
  });
  return (
    <>
      <LeaveGuard isDirty={() => choices !== begun && !link.isDone()} />
      <p role="status" className={styles.found}>
        {foundText(vehicles)}
      </p>
      {vehicles.length > 0 && (
        <Tools end={shown.length < vehicles.length && `${countText(shown.length)} of ${countText(vehicles.length)}`}>
          <SearchField label="Search vehicles" value={text} onChange={setText} />
          <Segmented label="Match" value={kind} onChange={setKind} options={kinds} />
        </Tools>
      )}
      <Table
        label="Vehicles"
        columns={columns}
        rows={shown}
        rowKey={one => one.external_id}
        empty={
          <EmptyState title={vehicles.length === 0 ? 'This account has no vehicles.' : 'No results found.'}>
            {vehicles.length === 0 && 'Check which vehicles its user or token may see.'}
          </EmptyState>
        }
      />
      {vehicles.length > 0 && (
        <div className={styles.foot}>
          {mayCreate && unmatched.length > 0 && (
            <Button onPress={() => setChoices(withNew(choices, unmatched))}>Create all unmatched</Button>
          )}
          <span className="num">{countOf(chosenOf(choices), 'vehicle')} chosen</span>
          <LinkButton row={row} choices={choices} hasClash={clashes.size > 0} link={link} />
        </div>
      )}
      {link.failure && <ErrorNotice>{link.failure}</ErrorNotice>}
      {asked && (
        <AssetDialog
          vehicle={asked}
          thingId={choices.get(asked.external_id)?.thingId ?? ''}
          onClose={() => setAsked(undefined)}
          onChoose={thingId => {
            setChoices(withChoice(choices, asked.external_id, { isChosen: thingId !== '', thingId }));
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
}

interface LinkButtonProps {
  row: Integration;
  choices: Choices;
  hasClash: boolean;
  link: ReturnType<typeof useLink>;
}

/** Starts a new integration with the chosen vehicles; of one that was started it saves them. */
function LinkButton({ row, choices, hasClash, link }: LinkButtonProps) {
  const word = isUnstarted(row) ? 'Start' : 'Save';
  const [mayEdit, mayLink] = [useMay(MAY.edit), useMay(MAY.things)];
  if (!mayLink) return <RefusedButton reason="You don't have permission to edit assets.">{word}</RefusedButton>;
  if (!mayEdit && isUnstarted(row))
    return <RefusedButton reason="You don't have permission to start integrations.">{word}</RefusedButton>;
  if (hasClash) return <RefusedButton reason="Choose one vehicle for each asset.">{word}</RefusedButton>;
  if (isUnstarted(row) && chosenOf(choices) === 0)
    return <RefusedButton reason="Choose at least one vehicle.">{word}</RefusedButton>;
  return (
    <Button variant="primary" isPending={link.isPending} onPress={() => void link.run()}>
      {word}
    </Button>
  );
}

/** Sends the links, and starts the integration if it never was; why not, as a whole and by vehicle. */
function useLink(row: Integration, vehicles: readonly Vehicle[], choices: Choices) {
  const mutations = useIntegrationMutations();
  const queries = useQueryClient();
  const goTo = useGoTo();
  const isDone = useRef(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const run = async () => {
    const sent = sentOf(vehicles, choices);
    setPending(true);
    setFailure(undefined);
    setFaults(new Map());
    try {
      await mutations.choose(row.id, sent);
      const starts = isUnstarted(row);
      if (starts) await mutations.save(row, { is_active: true });
      isDone.current = true;
      queries.removeQueries({ queryKey: vehiclesOf(row.id).queryKey });
      const count = countOf(chosenOf(choices), 'vehicle');
      toast(starts ? `“${row.name}” is started with ${count}` : `${count} linked`);
      await goTo({ tab: TAB, id: row.id });
    } catch (error) {
      setFailure(sayMarked('generic')(error));
      setFaults(faultsOf(asFailure(error).fields, sent));
      setPending(false);
    }
  };
  return { run, isPending, failure, faults, isDone: () => isDone.current };
}

/** The server's sentences by vehicle: a field of a list has its place in its name. */
const faultsOf = (fields: Readonly<Record<string, string>>, sent: readonly VehicleLink[]) =>
  new Map(
    Object.entries(fields).flatMap(([field, sentence]) => {
      const id = sent[Number(/\d+/.exec(field)?.[0] ?? -1)]?.external_id;
      return id === undefined ? [] : [[id, sentence] as const];
    }),
  );

/** What the organization's assets are called. */
function useAssetNames(): (id: string) => string {
  const { id } = useOrganization();
  const { data, isPending } = useQuery(things.list(id));
  const names = useMemo(() => new Map(data?.map(one => [one.id, one.nickname || one.haas_id])), [data]);
  // Who may not read assets sees at least which one it is.
  return thingId => names.get(thingId) ?? (isPending ? '…' : thingId);
}

interface ColumnParts {
  vehicles: readonly Vehicle[];
  choices: Choices;
  clashes: ReadonlySet<string>;
  faults: ReadonlyMap<string, string>;
  provider: string;
  nameOf: (thingId: string) => string;
  onChange: (choices: Choices) => void;
  onAsk: (vehicle: Vehicle) => void;
}

function columnsOf(parts: ColumnParts): readonly Column<Vehicle>[] {
  const { vehicles, choices, clashes, faults, provider, nameOf, onChange, onAsk } = parts;
  const choiceOf = (one: Vehicle) => choices.get(one.external_id) ?? { isChosen: false, thingId: '' };
  const faultOf = (one: Vehicle) =>
    faults.get(one.external_id) ??
    (clashes.has(one.external_id) ? 'Another vehicle is linked to the same asset.' : undefined);
  return [
    {
      id: 'vehicle',
      title: 'Vehicle',
      width: '36%',
      sortBy: one => one.name,
      cell: one => {
        const choice = choiceOf(one);
        return (
          <Checkbox
            isSelected={choice.isChosen}
            isDisabled={choice.thingId === ''}
            onChange={isChosen => onChange(withChoice(choices, one.external_id, { ...choice, isChosen }))}
          >
            {one.name || one.external_id}
            <Sub>{marksText(one)}</Sub>
          </Checkbox>
        );
      },
    },
    {
      id: 'match',
      title: 'Match',
      width: '32%',
      sortBy: one => matchText(one),
      cell: one => (
        <Two sub={whyText(one, vehicles, provider)}>
          <Pill tone={tones[kindOf(one)]}>{matchText(one)}</Pill>
        </Two>
      ),
    },
    {
      id: 'asset',
      title: 'Asset',
      cell: one => {
        const fault = faultOf(one);
        const { thingId } = choiceOf(one);
        return (
          <Two sub={fault && <span className={styles.fault}>{fault}</span>}>
            {thingId === '' ? NONE : thingId === NEW ? 'New asset' : nameOf(thingId)}
          </Two>
        );
      },
    },
    {
      id: 'actions',
      title: 'Actions',
      hideTitle: true,
      width: '140px',
      align: 'end',
      cell: one => {
        const label = choiceOf(one).thingId === '' ? 'Choose asset' : 'Change';
        return (
          <RowActions>
            <Button size="small" aria-label={`${label}: ${one.name || one.external_id}`} onPress={() => onAsk(one)}>
              {label}
            </Button>
          </RowActions>
        );
      },
    },
  ];
}
