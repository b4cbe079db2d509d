import styles from './form.module.css';
import screen from './screen.module.css';

/** The look of a form beside the map: its fields scroll, its buttons and what went wrong stay in sight. */
export const formLook = {
  form: styles.form ?? '',
  body: styles.formBody ?? '',
  foot: screen.foot ?? '',
  alert: styles.footError ?? '',
  conflict: styles.conflict ?? '',
};
