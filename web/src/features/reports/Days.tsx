import type { Schemas } from '~/api';
import { countText, distanceText, type SpeedUnit } from '~/model/format';
import { lengthText } from '~/model/monthlyReport';
import { type Bar, BarChart } from '~/ui';
import styles from './reports.module.css';

type Day = Schemas['MonthlyDay'];

const HOUR_MS = 3_600_000;

/** "Wed, Nov-11" */
function dayName(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  const part = (options: Intl.DateTimeFormatOptions) => at.toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  return `${part({ weekday: 'short' })}, ${part({ month: 'short' })}-${date.slice(8)}`;
}

function barsOf(days: readonly Day[], of: (day: Day) => number): Bar[] {
  return days.map(day => {
    const weekday = new Date(`${day.date}T00:00:00Z`).getUTCDay();
    return {
      label: String(Number(day.date.slice(8))),
      name: dayName(day.date),
      value: of(day),
      isApart: weekday === 0 || weekday === 6,
    };
  });
}

/** The month by its days. */
export function Days({ days, unit }: { days: readonly Day[]; unit: SpeedUnit }) {
  const [meters, name] = unit === 'mph' ? [1609.344, 'mi'] : [1000, 'km'];
  return (
    <div className={styles.charts}>
      <BarChart
        title="Incidents by day"
        bars={barsOf(days, day => day.incidents)}
        textOf={countText}
        heads={['Day', 'Incidents']}
        leastStep={1}
      />
      <BarChart
        title="Runs by day"
        bars={barsOf(days, day => day.runs)}
        textOf={countText}
        heads={['Day', 'Runs']}
        leastStep={1}
      />
      <BarChart
        title="Lights-on time by day, hours"
        bars={barsOf(days, day => day.alerting_ms / HOUR_MS)}
        textOf={hours => lengthText(hours * HOUR_MS)}
        heads={['Day', 'Lights-on time']}
      />
      <BarChart
        title={`Distance driven by day, ${name}`}
        bars={barsOf(days, day => day.distance_m / meters)}
        textOf={length => distanceText(unit, length * meters)}
        heads={['Day', 'Distance']}
      />
    </div>
  );
}
