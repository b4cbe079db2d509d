const LARGEST = 1_048_576;

/** A CSV file, as people pick it. */
export const CSV_FILE = { label: 'CSV file', accept: '.csv,text/csv', choose: 'Choose a CSV file' };

/** Of tables that people fill in the server takes no more. */
export const refuseCsv = ({ size }: File): string | undefined =>
  size > LARGEST ? 'The file is larger than 1 MB. Split it and try again.' : undefined;
