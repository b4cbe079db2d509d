import { session } from '~/session';

let leaving = false;

/** The user signs out: unlike an end that just happens, no address is remembered for whoever comes next. */
export function signOutByHand(): void {
  leaving = true;
  void session.signOut();
}

/** Whether the sign-out that has just happened was by hand; asked once. */
export function tookLeave(): boolean {
  const by = leaving;
  leaving = false;
  return by;
}
