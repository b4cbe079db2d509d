import { useParams } from '@tanstack/react-router';
import { NotFound } from '../screens';
import { Section } from './Section';
import { TopBar } from './TopBar';

/** Addresses of sections that have no screen here: first what the guard says of them, then that they are not found. */
export function OtherSection() {
  const { section } = useParams({ strict: false });
  return (
    <Section id={section ?? ''}>
      <NotFound />
      <TopBar />
    </Section>
  );
}
