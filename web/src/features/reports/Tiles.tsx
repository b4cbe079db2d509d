import { ArrowDown, ArrowUp } from 'lucide-react';
import type { SpeedUnit } from '~/model/format';
import {
  comparedMonths,
  comparedText,
  figureText,
  figureValue,
  type MonthlyFigure,
  type MonthlyReportWhole,
  monthlyFigures,
} from '~/model/monthlyReport';
import { PathLink } from '~/office';
import { rowsPath } from './paths';
import styles from './reports.module.css';

interface TilesProps {
  report: MonthlyReportWhole;
  unit: SpeedUnit;
}

const main = monthlyFigures.filter(figure => figure.isMain);

/** The main figures, each with how it has changed; those that count rows of ours open them. */
export const Tiles = ({ report, unit }: TilesProps) => (
  <ul className={styles.tiles} aria-label="Main figures">
    {main.map(figure => (
      <Tile key={figure.name} figure={figure} report={report} unit={unit} />
    ))}
  </ul>
);

function Tile({ figure, report, unit }: TilesProps & { figure: MonthlyFigure }) {
  const { figures, previous_month, previous_year } = report;
  const { before, yearBefore } = comparedMonths(report);
  const isKnown = figureValue(figure, figures) !== null;
  const value = <span className={isKnown ? styles.value : styles.unknown}>{figureText(figure, figures, unit)}</span>;
  return (
    <li className={styles.tile}>
      <h3>
        {figure.rows ? (
          <PathLink path={rowsPath(report, figure.rows)}>{figure.displayName}</PathLink>
        ) : (
          figure.displayName
        )}
      </h3>
      {value}
      <Change {...comparedText(figure, figures, previous_month, before, unit)} />
      <Change {...comparedText(figure, figures, previous_year, yearBefore, unit)} />
    </li>
  );
}

/** A change in words; the arrow only helps. */
function Change({ text, sign }: { text: string; sign: number }) {
  const Arrow = sign > 0 ? ArrowUp : ArrowDown;
  return (
    <p className={styles.change}>
      {sign !== 0 && <Arrow size={13} strokeWidth={2} aria-hidden="true" />}
      {text}
    </p>
  );
}
