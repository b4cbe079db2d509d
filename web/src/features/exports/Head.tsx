import { PathLink } from '~/office';
import { BackIcon, backLinkClass, PageHead, Steps } from '~/ui';
import { LIST_PATH } from './paths';

const back = (
  <PathLink path={LIST_PATH} className={backLinkClass}>
    <BackIcon />
    Data Exports
  </PathLink>
);

const steps = ['Type', 'Details', 'In progress'] as const;

interface HeadProps {
  title: string;
  sentence?: string;
  /** which step of a new export it is; without, none */
  step?: 0 | 1 | 2;
}

/** The head of a new export, and where in it one is. */
export function Head({ title, sentence, step }: HeadProps) {
  return (
    <>
      <PageHead back={back} title={title} sentence={sentence} />
      {step !== undefined && <Steps steps={steps} at={step} />}
    </>
  );
}
