import { say } from '~/api';
import { session } from '~/session';
import { showAlert } from '../alerts';

/** Turns the situational-awareness mode on or off; what fails can be tried again. */
export function switchAwareness(on: boolean): void {
  session.setAwareness(on).catch(error => showAlert({ text: say('generic', error), onOk: undefined }));
}
