import { useNavigate } from '@tanstack/react-router';
import { managerPath } from '~/model/manager';
import { TAB } from './integration';

/** The steps of a new integration; the last one is on its own page. */
export const STEPS = ['Provider', 'Account', 'Vehicles'] as const;

/** The part of an integration's page where its vehicles are linked. */
export const VEHICLES = 'vehicles';

/** The address of that part. */
export const vehiclesPath = (id: string): string => `${managerPath(TAB, { view: 'formRead', target: id })}#${VEHICLES}`;

/** Leads to the vehicles of an integration. */
export function useGoToVehicles(): (id: string) => Promise<void> {
  const navigate = useNavigate();
  return id => navigate({ href: vehiclesPath(id) });
}
