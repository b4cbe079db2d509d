import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import {
  lacksOf,
  type MonthlyReportWhole,
  momentText,
  monthlySections,
  monthText,
  spanText,
} from '~/model/monthlyReport';
import { PathLink, RowPage } from '~/office';
import { BackIcon, backLinkClass, EmptyState, OfficePage, PageHead } from '~/ui';
import { Days } from './Days';
import { MailMe } from './MailMe';
import { useMonth } from './month';
import { useLightOnPaper } from './onPaper';
import { PdfButton } from './PdfButton';
import { LIST_PATH } from './paths';
import { type ReportMonth, reportQuery } from './queries';
import styles from './reports.module.css';
import { Section } from './Section';
import { Tiles } from './Tiles';
import { useUnitOf } from './units';

const back = (
  <PathLink path={LIST_PATH} className={backLinkClass}>
    <BackIcon />
    Monthly Reports
  </PathLink>
);

/** Said where an address has no month, or the month no report. */
const missing = 'There is no report of this month.';

/** A month of an organization: its figures, and what is behind them. */
export default function ReportPage() {
  const asked = useMonth();
  if (asked) return <Asked asked={asked} />;
  return (
    <OfficePage narrow>
      <PageHead back={back} title="Monthly report" />
      <EmptyState title={missing} />
    </OfficePage>
  );
}

function Asked({ asked }: { asked: ReportMonth }) {
  const query = useQuery(reportQuery(asked));
  if (query.data)
    return (
      <OfficePage>
        <Report report={query.data} />
      </OfficePage>
    );
  return (
    <RowPage query={query} back={back} title="Monthly report" missing={missing}>
      {() => null}
    </RowPage>
  );
}

function Report({ report }: { report: MonthlyReportWhole }) {
  const unit = useUnitOf(report.organization_id);
  useLightOnPaper();
  const { organization_name, time_zone, made_at, version } = report;
  return (
    <div className={styles.report}>
      <PageHead
        back={back}
        title={monthText(report)}
        sentence={
          <>
            {organization_name}
            <span className={styles.facts}>
              {`${spanText(report)}, ${time_zone} · Made ${momentText(made_at, time_zone)} · Version ${version}`}
            </span>
          </>
        }
        actions={<PdfButton report={report} />}
      />
      <Lacks report={report} />
      <Tiles report={report} unit={unit} />
      <h2 className={styles.title}>Day by day</h2>
      <Days days={report.figures.days} unit={unit} />
      {monthlySections.map(section => (
        <Section key={section.name} section={section} report={report} unit={unit} />
      ))}
      <MailMe mails={[report]} />
    </div>
  );
}

/** What the report cannot tell, before anybody reads a figure. */
function Lacks({ report }: { report: MonthlyReportWhole }) {
  const lacks = lacksOf(report);
  if (lacks.length === 0) return null;
  return (
    <section className={styles.lacks} aria-labelledby="lacks">
      <Info size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <h2 id="lacks">What this report cannot tell</h2>
        <ul>
          {lacks.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
