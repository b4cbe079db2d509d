import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ManagerTab, managerPath } from '~/model/manager';
import { BackIcon, backLinkClass, buttonClass } from '~/ui';

/** A place of the office: a tab's list, one row to read, or its form; the form without an id makes a new one. */
export interface Place {
  tab: ManagerTab;
  id?: string | undefined;
  form?: boolean;
}

export const placePath = ({ tab, id, form }: Place): string => {
  if (form) return managerPath(tab, { view: 'form', target: id });
  return id === undefined ? managerPath(tab) : managerPath(tab, { view: 'formRead', target: id });
};

export interface LinkLook {
  children: ReactNode;
  /** Gives it a button's look. */
  button?: Parameters<typeof buttonClass>[0];
  className?: string;
  'aria-label'?: string;
}

/** A link to an address that the compiler does not know. */
export function PathLink({ path, button, className = '', ...rest }: LinkLook & { path: string }) {
  return <Link to={path as '/'} className={button ? buttonClass(button) : className} {...rest} />;
}

/** Leads on to an address at once, which takes this one's place. */
export const PathRedirect = ({ path }: { path: string }) => <Navigate to={path as '/'} replace />;

/** A link to a place of the office. */
export const To = ({ tab, id, form = false, ...look }: Place & LinkLook) => (
  <PathLink path={placePath({ tab, id, form })} {...look} />
);

/** The link one level up. */
export const Back = ({ children, ...place }: Place & { children: ReactNode }) => (
  <To {...place} className={backLinkClass}>
    <BackIcon />
    {children}
  </To>
);

/** The way out of a form. */
export const Cancel = (place: Place) => (
  <To {...place} button={{}}>
    Cancel
  </To>
);

/** To a row's form. */
export const EditLink = (place: Place) => (
  <To {...place} form button={{ variant: 'primary' }}>
    <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
    Edit
  </To>
);

/** Leads to a place of the office. */
export function useGoTo(): (place: Place) => Promise<void> {
  const navigate = useNavigate();
  return place => navigate({ href: placePath(place) });
}
