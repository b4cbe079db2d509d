import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PathLink } from '~/office';
import { type Requirement, session, useCan, useOrganization, useProfile } from '~/session';
import styles from './reports.module.css';

interface RowLinkProps {
  path: string;
  /** Who may not see it there reads its name alone. */
  needs: Requirement;
  organizationId: string;
  children: ReactNode;
}

/** A row's name, which leads to the screen that shows it; a row of another organization changes to that one first. */
export function RowLink({ path, needs, organizationId, children }: RowLinkProps) {
  const may = useCan(needs);
  const here = useOrganization();
  const isReached = useProfile().organizations.some(one => one.id === organizationId);
  const navigate = useNavigate();
  if (!may || !isReached) return children;
  if (here.id === organizationId) return <PathLink path={path}>{children}</PathLink>;
  const go = () => {
    session.switchOrganization(organizationId);
    void navigate({ href: path });
  };
  return (
    <button type="button" className={styles.open} onClick={go}>
      {children}
    </button>
  );
}
