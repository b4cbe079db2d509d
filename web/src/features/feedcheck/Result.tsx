import { Download, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { saveFile } from '~/lib/saveFile';
import { countText } from '~/model/format';
import { Button, type Column, CopyButton, EmptyState, Mono, Notice, Pill, Sub, Table } from '~/ui';
import styles from './feedcheck.module.css';
import {
  type BrokenRule,
  detailOf,
  foundText,
  messageOf,
  placesOf,
  placeText,
  type Report,
  reportText,
  ruleName,
  verdict,
  worstFirst,
} from './report';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const toneOf = ({ errors, warnings }: Report) => {
  if (errors > 0) return 'danger';
  return warnings > 0 ? 'warn' : 'good';
};

/** What a check found: the verdict, then each broken rule with its places. */
export function Result({ report }: { report: Report }) {
  const columns = useMemo(() => columnsOf(report), [report]);
  const json = () =>
    saveFile(new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }), 'feed-check.json');
  return (
    <section className={styles.result} aria-label="Result">
      <div role="status">
        <Notice tone={toneOf(report)}>
          <b>{verdict(report)}</b>
          <Sub>{foundText(report)}</Sub>
        </Notice>
      </div>
      <div className={styles.row}>
        <CopyButton text={reportText(report)} label="Copy as text" />
        <Button icon={<Download {...icon} />} onPress={json}>
          Download JSON
        </Button>
      </div>
      {report.rules.length > 0 && (
        <Table
          label="Rules broken"
          columns={columns}
          rows={worstFirst(report)}
          rowKey={rule => rule.rule}
          empty={<EmptyState title="No errors or warnings." />}
        />
      )}
    </section>
  );
}

const columnsOf = (report: Report): readonly Column<BrokenRule>[] => [
  {
    id: 'rule',
    title: 'Rule',
    width: '26%',
    sortBy: rule => ruleName(rule.rule),
    cell: rule => (
      <div>
        {ruleName(rule.rule)}
        <Sub>
          <Mono>{rule.rule}</Mono>
        </Sub>
      </div>
    ),
  },
  {
    id: 'severity',
    title: 'Severity',
    width: '130px',
    sortBy: rule => rule.severity,
    cell: rule => <Severity rule={rule} />,
  },
  {
    id: 'count',
    title: 'Count',
    width: '96px',
    sortBy: rule => rule.count,
    cell: rule => <span className="num">{countText(rule.count)}</span>,
  },
  { id: 'what', title: 'Problem', cell: rule => <Explained rule={rule} report={report} /> },
];

const Severity = ({ rule }: { rule: BrokenRule }) =>
  rule.severity === 'error' ? (
    <Pill tone="danger" icon={<OctagonAlert {...icon} />}>
      Error
    </Pill>
  ) : (
    <Pill tone="warn" icon={<TriangleAlert {...icon} />}>
      Warning
    </Pill>
  );

/** What is wrong, the way out, and where. */
function Explained({ rule, report }: { rule: BrokenRule; report: Report }) {
  const places = placesOf(report, rule.rule);
  const more = rule.count - places.length;
  return (
    <div>
      {messageOf(report, rule)}
      <Sub>{rule.way}</Sub>
      <details>
        <summary className={styles.shown}>Where</summary>
        <ul className={styles.places}>
          {places.map((place, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of a report never change, and may be alike
            <li key={index}>
              <Mono>{placeText(place)}</Mono> {detailOf(rule, place.message)}
            </li>
          ))}
          {more > 0 && <li>and {countText(more)} more</li>}
        </ul>
      </details>
    </div>
  );
}
