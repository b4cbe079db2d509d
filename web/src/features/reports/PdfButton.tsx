import { Download } from 'lucide-react';
import { useState } from 'react';
import { say } from '~/api';
import { type MonthlyReport, monthText } from '~/model/monthlyReport';
import { Button } from '~/ui';
import { downloadPdf } from './queries';
import styles from './reports.module.css';

interface PdfButtonProps {
  report: MonthlyReport;
  /** In a row of the list it is smaller and says less. */
  isRow?: boolean;
}

/** Downloads a report as PDF; what keeps it from that stands under the button. */
export function PdfButton({ report, isRow = false }: PdfButtonProps) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const press = async () => {
    setFailure(undefined);
    setPending(true);
    try {
      await downloadPdf(report);
    } catch (error) {
      setFailure(say('file.link', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <div className={styles.pdf}>
      <Button
        {...(isRow ? { size: 'small' } : { variant: 'primary' })}
        icon={<Download size={isRow ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />}
        isPending={isPending}
        onPress={() => void press()}
        aria-label={`Download PDF of ${monthText(report)}, ${report.organization_name}`}
      >
        {isRow ? 'PDF' : 'Download PDF'}
      </Button>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </div>
  );
}
