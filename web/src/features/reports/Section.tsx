import { useMemo } from 'react';
import type { SpeedUnit } from '~/model/format';
import {
  changeText,
  comparedMonths,
  figureText,
  type MonthlyFigure,
  type MonthlyFigures,
  type MonthlyReportWhole,
  monthlyFigures,
  monthText,
} from '~/model/monthlyReport';
import { PathLink } from '~/office';
import { type Column, Named, Table } from '~/ui';
import { Parts } from './Parts';
import { rowsPath } from './paths';
import styles from './reports.module.css';

interface SectionProps {
  section: { name: string; displayName: string };
  report: MonthlyReportWhole;
  unit: SpeedUnit;
}

/** A section: its figures with what they mean, beside those of other months, then what is its own. */
export function Section({ section: { name, displayName }, report, unit }: SectionProps) {
  const figures = monthlyFigures.filter(figure => figure.section === name);
  return (
    <section className={styles.section} aria-labelledby={`section-${name}`}>
      <h2 id={`section-${name}`} className={styles.title}>
        {displayName}
      </h2>
      <Table
        label={displayName}
        columns={useColumns(report, unit)}
        rows={figures}
        rowKey={figure => figure.name}
        empty={null}
      />
      <Parts section={name} figures={report.figures} />
    </section>
  );
}

function useColumns(report: MonthlyReportWhole, unit: SpeedUnit): readonly Column<MonthlyFigure>[] {
  return useMemo(() => {
    const { before, yearBefore } = comparedMonths(report);
    const value = (id: string, title: string, of: MonthlyFigures): Column<MonthlyFigure> => ({
      id,
      title,
      width: '124px',
      align: 'end',
      cell: figure => <span className="num">{figureText(figure, of, unit)}</span>,
    });
    const change = (id: string, than: string, then: MonthlyFigures): Column<MonthlyFigure> => ({
      id,
      title: than,
      width: '15%',
      align: 'end',
      cell: figure => <span className="num">{changeText(figure, report.figures, then, unit)}</span>,
    });
    return [
      {
        id: 'figure',
        title: 'Figure',
        cell: figure => (
          <Named sub={figure.means}>
            {figure.rows ? (
              <PathLink path={rowsPath(report, figure.rows)}>{figure.displayName}</PathLink>
            ) : (
              figure.displayName
            )}
          </Named>
        ),
      },
      value('now', monthText(report), report.figures),
      // A month without a report has no figures: the tiles say so once.
      ...(report.previous_month
        ? [value('before', before, report.previous_month), change('change', 'Change', report.previous_month)]
        : []),
      ...(report.previous_year
        ? [
            value('yearBefore', yearBefore, report.previous_year),
            change('yearChange', 'Year change', report.previous_year),
          ]
        : []),
    ];
  }, [report, unit]);
}
